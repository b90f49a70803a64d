import { matchesTag } from './entity-tag';

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  [undefined, false],
  // The length of a header does not decide the work.
  [`"a"${','.repeat(60_000)}`, false],
])('%p has the tag "a": %p', (condition, expected) => {
  expect(matchesTag(condition, '"a"')).toBe(expected);
});
