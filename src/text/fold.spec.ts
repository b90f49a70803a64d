import fc from 'fast-check';
import { fold } from './fold';

describe('fold (D28)', () => {
  it.each([
    ['case', 'HARRY Potter', 'harry potter'],
    ['case of other alphabets', 'МИР ΣΟΦΟΣ', 'мир σοφοσ'],
    ['full width', 'ＡＢＣ１２３', 'abc123'],
    ['half-width kana', 'ﾉﾙｳｪｲ', 'ノルウェイ'],
    ['traditional forms', '圍城三體紅樓夢', '围城三体红楼梦'],
    ['accents of Latin letters', 'Émile Zola, Gödel', 'emile zola, godel'],
    ['accents that stand apart', 'E\u0301mile', 'emile'],
    ['ligatures', 'ﬁnal ㍿', 'final 株式会社'],
    ['white space', ' \t a \u3000\n b ', 'a b'],
    ['nothing', ' \n ', ''],
  ])('maps variants of %s to the same text', (_, text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('keeps different sounds apart: ガ is not カ', () => {
    expect(fold('ガ')).not.toBe(fold('カ'));
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { seed: 28, numRuns: 500 },
    );
  });

  it('folds each substring to a substring of the folded text', () => {
    const titles = [
      '圍城',
      '三體 III：死神永生',
      'Ångström über alles',
      'ﾊﾟﾘは燃えているか',
      '1Q84 ＢＯＯＫ１',
    ];
    for (const title of titles) {
      const characters = Array.from(title);
      for (let from = 0; from < characters.length; from += 1) {
        for (let to = from + 1; to <= characters.length; to += 1) {
          expect(fold(title)).toContain(fold(characters.slice(from, to).join('')));
        }
      }
    }
  });

  it('folds each substring of any text to a substring (property test)', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (value, one, other) => {
        const characters = Array.from(value);
        const [from, to] = [one % characters.length, other % (characters.length + 1)];
        expect(fold(value)).toContain(fold(characters.slice(from, to).join('')));
      }),
      { seed: 28, numRuns: 1000 },
    );
  });
});
