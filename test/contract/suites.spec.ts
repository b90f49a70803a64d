import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readDeclaredErrors, unseenErrors } from '../seen-errors';
import { REQUIRED_SUITES, specsIn, specsOf, SUITES } from '../suites/suites';

it('every spec is in one suite, and runs in `npm test`', () => {
  const run = Object.keys(SUITES).flatMap(specsOf).sort();
  const all = [...specsIn('src'), ...specsIn('test')];
  // Specs in subfolders of faults and attacks need a program: their own projects run them.
  const inNpmTest = all.filter((path) => !/^test\/(faults|attacks)\/.+\//.test(path));
  expect(run).toEqual(inNpmTest.sort());
});

/** Names of the suite files, which `npm test` runs. */
const files = readdirSync(join(__dirname, '../suites'))
  .filter((name) => /^\d/.test(name))
  .map((name) => basename(name, '.suite.ts').replace(/^\d+-/, ''));

it('every suite has its file, and every file its suite', () => {
  expect(files.sort()).toEqual(Object.keys(SUITES).sort());
});

describe('the check that tests cause every declared error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-seen-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const seen = join(folder, 'seen');
  const after = (suites: readonly string[], errors: readonly string[]): string[] | undefined => {
    const lines = [...suites.map((suite) => `suite ${suite}`), ...errors];
    writeFileSync(seen, lines.join('\n'));
    return unseenErrors(seen, REQUIRED_SUITES);
  };
  const errors = [...readDeclaredErrors().all];
  const missing = 'GET /v2/book/{id} 404 6000';

  // The browser and Redis, which a machine may lack.
  const always = files.filter((suite) => !['browser', 'redis'].includes(suite));

  it('runs after a run of all suites that need no optional program', () => {
    expect(after(always, errors)).toEqual([]);
    expect(errors).toContain(missing);
    const others = errors.filter((error) => error !== missing);
    expect(after(always, others)).toEqual([missing]);
  });

  it.each(always)('does not run after a run without the suite %s', (absent) => {
    const suites = files.filter((suite) => suite !== absent);
    expect(after(suites, errors)).toBeUndefined();
  });
});
