import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { specsIn, specsOf, SUITES } from '../suites/suites';

it('every spec is in one suite, and runs in `npm test`', () => {
  const run = Object.keys(SUITES).flatMap(specsOf).sort();
  const all = [...specsIn('src'), ...specsIn('test')];
  // Specs in subfolders of faults and attacks need a program: their own projects run them.
  const inNpmTest = all.filter((path) => !/^test\/(faults|attacks)\/.+\//.test(path));
  expect(run).toEqual(inNpmTest.sort());
});

it('every suite has its file, and every file its suite', () => {
  const files = readdirSync(join(__dirname, '../suites')).filter((name) => /^\d/.test(name));
  const names = files.map((name) => basename(name, '.suite.ts').replace(/^\d+-/, ''));
  expect(names.sort()).toEqual(Object.keys(SUITES).sort());
});
