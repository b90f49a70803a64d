import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specsIn } from '../suites/suites';

const ROOT = join(__dirname, '../..');

/** Tests that `docs/guarantees.md` names, as paths from the top of the project. */
function testsNamed(): string[] {
  const text = readFileSync(join(ROOT, 'docs/guarantees.md'), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const folder = /Test in `(test\/[a-z]+)`/.exec(section)?.[1];
    const rows = section.split('\n').filter((line) => line.startsWith('|'));
    return rows.flatMap((row) => {
      const last = row.split('|').at(-2) ?? '';
      const names = [...last.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name);
      return names.flatMap((name) => {
        if (name.startsWith('test/')) return [name];
        return folder && /^[a-z/-]+$/.test(name) ? [`${folder}/${name}`] : [];
      });
    });
  });
}

const isTest = (path: string): boolean =>
  existsSync(join(ROOT, `${path}.spec.ts`)) || existsSync(join(ROOT, path));

it('each test that docs/guarantees.md names exists', () => {
  const named = testsNamed();
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !isTest(path))).toEqual([]);
});

it('docs/guarantees.md names each test of faults and attacks', () => {
  const all = [...specsIn('test/faults'), ...specsIn('test/attacks')];
  const paths = all.map((path) => path.replace(/\.spec\.ts$/, ''));
  expect(paths.filter((path) => !testsNamed().includes(path))).toEqual([]);
});
