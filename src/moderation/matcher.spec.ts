import { keyOf, Matcher, type BannedWord } from './matcher';

const refusing = (...words: string[]): Matcher =>
  new Matcher(words.map((word) => ({ word, action: 'refuse' })));
const hits = (matcher: Matcher, text: string): string[] =>
  matcher.find(text).map(({ word }) => word);

describe('the matcher finds a word', () => {
  const matcher = refusing('云间账号', '狐仓', 'grobnik', 'moon juice', '加zuv信', 'Ω夜');

  it.each([
    ['alone', '狐仓', '狐仓'],
    ['in the middle of Chinese', '我在云间账号里', '云间账号'],
    ['between Latin words', 'a grobnik, please', 'grobnik'],
    ['at the end, before a full stop', 'This is a grobnik.', 'grobnik'],
    ['beside Chinese', '买grobnik吧', 'grobnik'],
    ['with numbers around it', 'grobnik99', 'grobnik'],
    ['as two words', 'fresh  moon\njuice here', 'moon juice'],
    ['as two words in one', 'moonjuice', 'moon juice'],
    ['of two scripts', '请加 ZUV 信', '加zuv信'],
    ['of letters that only look Latin', 'Ω夜', 'Ω夜'],
  ])('%s', (_how, text, word) => {
    expect(hits(matcher, text)).toEqual([word]);
  });

  it('in a list of words with common beginnings and ends', () => {
    const alike = refusing('甲乙丙丁', '乙丙', '丙丁戊', '丁');
    expect(hits(alike, '甲乙丙')).toEqual(['乙丙']);
    expect(hits(alike, '乙乙丙')).toEqual(['乙丙']);
    expect(hits(alike, '甲丙丁戊')).toEqual(['丁']);
    expect(hits(alike, '丙')).toEqual([]);
  });
});

describe('the matcher does not find a word', () => {
  const words = ['ass', 'hell', 'shell', 'nowhere', 'manslaughter', 'ill', 'tit', 'cons'];
  const matcher = refusing(...words, '敏感', '词典房', 'ai剧');

  it.each([
    'a class of assassins',
    'Passage to Scunthorpe, with titles and constants',
    "he'll and she'll",
    'he’ll go',
    'now here, now there',
    "man's laughter",
    'I’ll go',
    'MP3, H2O and Se7en',
    'The tale of 455 and 1111',
    '过敏，感冒',
    '他很敏。感谢',
    '《过敏》感想',
    '过敏\n感冒',
    '词典（房价）',
    'thai剧',
    'as sure as so',
    'constitution',
    'a.s. sells shells by the seas',
    'hi!! hello!',
  ])('in %p', (text) => {
    expect(hits(matcher, text)).toEqual([]);
  });

  it('when the list or the text is empty', () => {
    expect(new Matcher([]).find('anything')).toEqual([]);
    expect(hits(matcher, '')).toEqual([]);
    expect(hits(matcher, ' \u200b\n')).toEqual([]);
  });
});

describe('with several words the matcher', () => {
  const words: BannedWord[] = [
    { word: '甲甲', action: 'hold' },
    { word: '乙乙', action: 'hold' },
    { word: '丙丙', action: 'refuse' },
  ];

  it('returns all that send the text to review, each once', () => {
    expect(hits(new Matcher(words), '乙乙 甲甲 乙乙')).toEqual(['乙乙', '甲甲']);
  });

  it('returns only a word that rejects the text', () => {
    expect(hits(new Matcher(words), '乙乙 丙丙 甲甲')).toEqual(['丙丙']);
  });

  it('returns at most the requested number', () => {
    expect(new Matcher(words).find('甲甲乙乙', 1)).toHaveLength(1);
  });
});

describe('spellings of a word', () => {
  it.each([
    ['Grobnik', 'ＧＲＯＢＮＩＫ'],
    ['云间账号', '雲 間-賬\u200b號'],
    ['moon juice', ' Moon  Juice '],
    ['grobnik', 'g r o b n i k'],
  ])('%s and %s are the same word', (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it.each([
    ['moon juice', 'moonjuice'],
    ['grobnik', 'grobn1k'],
  ])('%s and %s are different words', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it.each(['', ' ', '\u200b', '***', '——'])('%p is not a word', (word) => {
    expect(keyOf(word)).toBe('');
  });
});

it('ambiguous texts take time proportional to their length', () => {
  const word = 'a'.repeat(40);
  const many = new Matcher(
    Array.from({ length: 40 }, (_, at) => ({
      word: word.slice(at) + 'b',
      action: 'hold' as const,
    })),
  );
  expect(many.find('a'.repeat(100_000))).toEqual([]);
  expect(many.find('a!1|'.repeat(25_000))).toEqual([]);
  expect(many.find('4'.repeat(100_000))).toEqual([]);
});
