import { figure } from '../../../test/figures';
import { normalized } from './normalize';

describe('normalization to NFC', () => {
  it('equals Unicode NFC for texts that people write', () => {
    for (const text of ['', 'e\u0301', 'ﷺ', '\u1112\u1161\u11ab', 'a\u0323\u0307'.repeat(500)]) {
      for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
        expect(normalized(text, form)).toBe(text.normalize(form));
      }
    }
    const marks = `x${'\u0323'.repeat(30)}${'y'.repeat(300)}`;
    expect(normalized(marks, 'NFC')).toBe(marks.normalize('NFC'));
  });

  it.each([
    `a${'\u0300\u0316'.repeat(25_000)}`,
    `a${'\u0300'.repeat(25_000)}${'\u0316'.repeat(25_000)}`,
    `\uff76${'\u0300\uff9e'.repeat(25_000)}`,
    `a${'\u0301'.repeat(30)}`.repeat(2000),
  ])('normalizes long runs of combining marks in linear time: case %#', (text) => {
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
      const startedAt = performance.now();
      const marks = normalized(text, form);
      figure(`${form} of 50,000 marks: ms`, performance.now() - startedAt, { atMost: 100 });
      expect(marks.length).toBeGreaterThan(50_000);
      expect(normalized(marks, form) === marks).toBe(true);
    }
  });
});
