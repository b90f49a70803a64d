import { formatNodeOptions, inheritedFlags, parseNodeOptions } from './node-flags';

it('the process that decodes pictures inherits flags that load code, and no others', () => {
  const flags = ['--env-file=.env', '--require', 'a.js', '--cpu-prof-dir', '/x', '--import=b.mjs'];
  expect(inheritedFlags(flags)).toEqual(['--require', 'a.js', '--import=b.mjs']);
});

it.each([
  ['', []],
  ['  -r  a.js ', ['-r', 'a.js']],
  ['--require "/a b/c.js"', ['--require', '/a b/c.js']],
  ['--require="/a b/c.js" -C x', ['--require=/a b/c.js', '-C', 'x']],
  ['"--require" /a" "b.js', ['--require', '/a b.js']],
  [String.raw`-r "a\"b\\c\d.js"`, ['-r', String.raw`a"b\cd.js`]],
  [String.raw`-r C:\a\b.js`, ['-r', String.raw`C:\a\b.js`]],
  ['-r a.js "" -C\tx', ['-r', 'a.js', '-C\tx']],
])('NODE_OPTIONS are split as Node does: %j', (options, flags) => {
  expect(parseNodeOptions(options)).toEqual(flags);
  expect(parseNodeOptions(formatNodeOptions(flags))).toEqual(flags);
});
