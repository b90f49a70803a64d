import { hasTooManyValues, MAX_JSON_VALUES } from './json-values';

const isTooLong = (text: string): boolean => hasTooManyValues(Buffer.from(text));

it.each([
  ['elements', `[${'0,'.repeat(MAX_JSON_VALUES - 1)}0]`],
  ['members', `{${'"a":0,'.repeat(MAX_JSON_VALUES / 2 - 1)}"a":0}`],
  ['a string', `["${'\\",'.repeat(MAX_JSON_VALUES * 2)}"]`],
  ['other characters', '书'.repeat(MAX_JSON_VALUES)],
])('accepts the most values that a body may have: %s', (_what, json) => {
  expect(isTooLong(json)).toBe(false);
});

it.each([
  ['elements', `[${'0,'.repeat(MAX_JSON_VALUES)}0]`],
  ['empty objects', `[${'{},'.repeat(MAX_JSON_VALUES)}{}]`],
  ['members', `{${'"a":0,'.repeat(MAX_JSON_VALUES / 2)}"a":0}`],
  ['values after a string', `["\\\\",${'0,'.repeat(MAX_JSON_VALUES)}0]`],
])('rejects more: %s', (_what, json) => {
  expect(isTooLong(json)).toBe(true);
});

it('rejects more values than the given number, also in short JSON', () => {
  const json = (values: number): Buffer => Buffer.from(`[${'0,'.repeat(values - 1)}0]`);
  expect(hasTooManyValues(json(10), 10)).toBe(false);
  expect(hasTooManyValues(json(11), 10)).toBe(true);
});
