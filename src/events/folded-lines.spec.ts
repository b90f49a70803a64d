import fc from 'fast-check';
import { foldLines } from 'ical-generator';
import { foldedLines } from './folded-lines';

const texts = fc
  .array(
    fc.string({
      unit: fc.constantFrom('a', ' ', 'é', '中', '😀', '\r\n', '\r', '\n'),
      maxLength: 300,
    }),
  )
  .map((parts) => parts.join('\r\n'));

it('lines are folded as ical-generator folds them', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(foldedLines(text)).toBe(foldLines(text));
    }),
    { seed: jest.getSeed() },
  );
});

it('no line has more than 75 bytes', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const line of foldedLines(text).split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }
    }),
    { seed: jest.getSeed() },
  );
});
