import fc from 'fast-check';
import { lengthOf } from '../api/input/text-input';
import { shorten } from './shorten';

it.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['First one. Second one is longer', 20, 'First one.…'],
  ['A. second sentence goes on', 20, 'A. second sentence…'],
  ['第一句话。第二句话很长很长很长', 8, '第一句话。…'],
  ['Version 2.5 of it all', 12, 'Version 2.5…'],
  ['他走了……后来谁也没有再见过他', 9, '他走了…'],
  ['He left... and never came back', 12, 'He left…'],
  ['He left... and never came back', 10, 'He left…'],
  ['pneumonoultramicroscopic', 10, 'pneumonou…'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 9, '👨‍👩‍👧‍👦…'],
])('%j in %d characters is %j', (text, limit, expected) => {
  expect(shorten(text, limit)).toBe(expected);
});

it('returns a prefix within the limit (property test)', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 1, max: 60 }),
      (text, limit) => {
        const short = shorten(text, limit);
        expect(lengthOf(short)).toBeLessThanOrEqual(limit);
        if (short !== text) expect(text.startsWith(short.slice(0, -1))).toBe(true);
      },
    ),
  );
});
