import { isNestedDeeper, MAX_JSON_DEPTH } from './json-depth';

const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth);

describe('isNestedDeeper', () => {
  it.each([
    ['', 0],
    ['1', 0],
    ['"[[[["', 0],
    ['"\\"[[["', 0],
    ['\u{15b}\u017b\u{1f4da}', 0],
    ['"\\\\"[', 1],
    ['{"a":[1,{"b":2}]}', 3],
    ['[[],[],[[]],[]]', 3],
    [nested(500_000), 500_000],
    [nested(500_000, '{"a":', '}'), 500_000],
    ['[[[', 3],
    ['"[[[', 0],
    ['"\\', 0],
  ])('compares the depth of text %#', (text, depth) => {
    const bytes = Buffer.from(text);
    expect(isNestedDeeper(bytes, depth)).toBe(false);
    expect(isNestedDeeper(text, depth)).toBe(false);
    if (depth === 0) return;
    expect(isNestedDeeper(bytes, depth - 1)).toBe(true);
    expect(isNestedDeeper(text, depth - 1)).toBe(true);
  });

  it('has a default limit', () => {
    expect(isNestedDeeper(Buffer.from(nested(MAX_JSON_DEPTH)))).toBe(false);
    expect(isNestedDeeper(Buffer.from(nested(MAX_JSON_DEPTH + 1)))).toBe(true);
  });
});
