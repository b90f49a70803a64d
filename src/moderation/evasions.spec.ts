import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { syntheticBooks } from '../import-export/synthetic/synthetic';
import { Matcher } from './matcher';

/** Invented words in the form of the word list. */
const WORDS = ['云间账号', '灰塔兑换', '狐仓', '万圣门票', 'grobnik', 'zarfel', 'moon juice'];
const matcher = new Matcher(WORDS.map((word) => ({ word, action: 'refuse' })));

/** How people write words that they know to be banned. */
const EVASIONS: readonly string[] = [
  // Traditional forms, and both scripts in one.
  ...['雲間賬號', '雲间账號', '灰塔兌換', '狐倉', '萬聖門票', '万聖门票'],
  // Spaces of every width.
  ...[
    '云 间 账 号',
    '灰塔 兑换',
    '狐　仓',
    '万\u2003圣\u2003门\u2003票',
    '狐\u00a0仓',
    '灰 塔兑换',
  ],
  // Punctuation, symbols, pictures.
  ...[
    '云*间-账*号',
    '灰.塔.兑.换',
    '狐/仓',
    '万_圣_门_票',
    '狐·仓',
    '云❤间❤账❤号',
    '灰～塔～兑～换',
  ],
  ...[
    '【云】【间】【账】【号】',
    '灰,塔,兑,换',
    '万。圣。门。票',
    '云\n间\n账\n号',
    '狐丨仓',
    '狐|仓',
    '狐——仓',
  ],
  // Invisible characters.
  ...[
    '云\u200b间账号',
    '云\ufeff间账号',
    '灰\u2060塔\ufeff兑换',
    '狐\u00ad仓',
    '狐\ufe0f仓',
    '万\u200d圣\u034f门票',
    '狐\u3164仓',
  ],
  ...['狐\u0336仓\u0336', 'g\u200brob\u200cnik', 'grob\ufeffnik', 'zar\u00adfel'],
  // Width, case, shapes of letters.
  ...[
    'ＧＲＯＢＮＩＫ',
    'GrObNiK',
    'ｚａｒｆｅｌ',
    'ⓖⓡⓞⓑⓝⓘⓚ',
    '𝐠𝐫𝐨𝐛𝐧𝐢𝐤',
    '𝕫𝕒𝕣𝕗𝕖𝕝',
    'ɢʀᴏʙɴɪᴋ',
    '🅶🆁🅾🅱🅽🅸🅺',
    'ᴹᵒᵒⁿ juice',
  ],
  // Accents, letters of other scripts, numbers and signs for letters.
  ...[
    'gröbník',
    'grо́bnik',
    'zаrfеl',
    'gr0bnik',
    'grobn1k',
    'z@rfel',
    'zarfe1',
    'gr0bn!k',
    'z4rf3l',
    'm00n ju1ce',
  ],
  // Single letters, repeated letters, symbols between letters, and digits around words.
  ...[
    'g r o b n i k',
    'z-a-r-f-e-l',
    'G.R.O.B.N.I.K',
    'grooobnik',
    'zarfellll',
    'gro*bnik',
    'zar_fel',
    'grobnik666',
    'moon-juice',
    'm o o n j u i c e',
    'MOON…JUICE',
    'moonjuice',
  ],
];

const CLEAN: readonly string[] = [
  ...['云间的账号', '灰塔与兑换', '狐狸与仓库', '万圣节的门票', '间账号云', '塔', 'moon and juice'],
  ...['rob nik', 'zar', 'Grob, Nik', 'juice of the moon', "Grob's nikel", '云，间账号', '狐：仓'],
];

describe('disguised banned words', () => {
  it('are at least 60 kinds', () => {
    expect(new Set(EVASIONS).size).toBeGreaterThanOrEqual(60);
  });

  it('are found in 95 of 100 cases', () => {
    const missed = EVASIONS.filter((text) => matcher.find(`前面 ${text} 后面`).length === 0);
    expect(missed.length).toBeLessThanOrEqual(EVASIONS.length * 0.05);
  });

  it('are not found in texts that only resemble them', () => {
    expect(CLEAN.filter((text) => matcher.find(text).length > 0)).toEqual([]);
  });
});

type Wire = Record<string, unknown>;
const sample = (name: string): Wire[] =>
  readFileSync(join(__dirname, '../sample/data', `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Wire);

describe('harmless texts', () => {
  // Words that stand inside harmless ones, or come about where two of these meet.
  const harsh = [
    'ass',
    'hell',
    'tit',
    'nowhere',
    'manslaughter',
    'ill',
    'cock',
    'rape',
    'sex',
    'cum',
  ];
  const strict = new Matcher(
    [...WORDS, ...harsh, '敏感', '大法', '法会'].map((word) => ({ word, action: 'refuse' })),
  );

  it('no title of 10,000 books contains a banned word', () => {
    const made = [...syntheticBooks({ books: 9950, users: 0, collections: 0, seed: 3 })];
    const books = [...made.map((line) => JSON.parse(line) as Wire), ...sample('books')];
    const titles = books.map(({ title }) => String(title));
    expect(titles.length).toBeGreaterThanOrEqual(10_000);
    expect(titles.filter((title) => strict.find(title).length > 0)).toEqual([]);
  });

  it.each(['books', 'annotations', 'reviews', 'collections'])(
    'no text of the %s contains a banned word',
    (name) => {
      const texts = sample(name).flatMap((wire) =>
        Object.values(wire).filter((value) => typeof value === 'string'),
      );
      expect(texts.length).toBeGreaterThan(100);
      expect(texts.filter((text) => strict.find(text).length > 0)).toEqual([]);
    },
  );
});
