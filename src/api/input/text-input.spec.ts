import fc from 'fast-check';
import { cleanText, firstOf, isBlank, lengthOf } from './text-input';

describe('cleanText (D9)', () => {
  it.each([
    ['trims', ' \t\na\u3000 ', 'a'],
    ['composes', 'e\u0301\u1112\u1161\u11ab', '\u00e9\ud55c'],
    ['drops control characters', 'a\u0000\u0001\u0008\u000b\u000c\u001f\u007f\u0080\u009fb', 'ab'],
    ['keeps newline and tab', 'a\n\tb', 'a\n\tb'],
    ['makes one line end of each', 'a\r\nb\rc\n', 'a\nb\nc'],
    ['mends halves of characters', 'a\ud800b', 'a\ufffdb'],
    ['keeps joined emoji', '\u{1f468}\u200d\u{1f469}', '\u{1f468}\u200d\u{1f469}'],
    ['leaves nothing of nothing', ' \u0000\n ', ''],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('returns clean text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
      }),
      { seed: 9, numRuns: 1000 },
    );
  });

  it('has the same result as regular expressions', () => {
    const unit = fc.constantFrom(
      'a',
      '三',
      '\u{1f4da}',
      '\r',
      '\n',
      '\t',
      '\0',
      '\u001f',
      '\u0085',
      '\ud83d',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const expected = text.replace(/\r\n?/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '');
        expect(cleanText(text)).toBe(expected.toWellFormed().normalize('NFC').trim());
      }),
      { seed: 9, numRuns: 1000 },
    );
  });
});

it.each([
  ['', true],
  [' \n\t\u3000\u0000', true],
  ['\u200b \u00ad\ufeff', true],
  ['\u200ba', false],
  ['\ud800', false],
  ['\u0301', false],
])('whether %j is blank: %j', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});

describe('lengthOf (D9)', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['三体', 2],
    ['\u{1f4da}\u{20bb7}', 2],
    ['x\u0301', 2],
    ['\ud83d\ud83d\udcda\udcda', 3],
    ['\u{1f468}\u200d\u{1f469}', 3],
  ])('of "%s" returns %i', (text, length) => {
    expect(lengthOf(text)).toBe(length);
  });
});

describe('firstOf', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 5, 'abc'],
    ['\u{1f4da}\u{1f4da}\u{1f4da}', 2, '\u{1f4da}\u{1f4da}'],
    ['a\u{1f4da}b', 2, 'a\u{1f4da}'],
    ['abc', 0, ''],
  ])('of "%s" and %i returns "%s"', (text, limit, first) => {
    expect(firstOf(text, limit)).toBe(first);
  });

  it('never splits a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, limit) => {
        const first = firstOf(text, limit);
        expect(text.startsWith(first)).toBe(true);
        expect(lengthOf(first)).toBe(Math.min(limit, lengthOf(text)));
      }),
      { seed: 9 },
    );
  });
});
