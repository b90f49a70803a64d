import { fold } from './fold';
import { searchQuery, searchText } from './terms';

describe('searchText (D28)', () => {
  it('has each pair of neighbouring characters and the last character, once', () => {
    expect([...searchText('三体三', []).terms].sort()).toEqual(['三', '三体', '体三'].sort());
  });

  it('makes no pair across words', () => {
    expect([...searchText('ab c', []).terms].sort()).toEqual(['ab', 'b', 'c']);
  });

  it('splits by code point', () => {
    expect([...searchText('\u{20bb7}\u{1f4da}', []).terms].sort()).toEqual(
      ['\u{1f4da}', '\u{20bb7}\u{1f4da}'].sort(),
    );
  });

  it('joins the folded fields with newlines', () => {
    const text = searchText('圍城', ['錢鍾書', ''], ['9787020090006']);
    expect(text.title).toBe('围城');
    expect(text.body).toBe(`\n围城\n${fold('錢鍾書')}\n9787020090006\n`);
    expect(text.terms).toEqual(['围城', '城', '钱钟', '钟书', '书', '\u00029787020090006']);
  });
});

describe('searchQuery (D28)', () => {
  it.each(['', ' ', '\n\t', '\u3000', '\u0301'])(
    'is undefined when the query has no word: "%s"',
    (text) => {
      expect(searchQuery(text)).toBeUndefined();
    },
  );

  it('searches for pairs, and for a single character as a prefix', () => {
    expect(searchQuery('三体 a')).toEqual({
      phrase: '三体 a',
      tsquery: "'三体' & 'a':*",
      patterns: [],
    });
  });

  it('adds a LIKE filter for words that pairs alone do not prove', () => {
    expect(searchQuery('abc')).toEqual({
      phrase: 'abc',
      tsquery: "'ab' & 'bc'",
      patterns: ['%abc%'],
    });
  });

  it.each([
    ["o'c", "'o''' & '''c'", ["%o'c%"]],
    ['a\\b', "'a\\\\' & '\\\\b'", ['%a\\\\b%']],
    ['a%b', "'a%' & '%b'", ['%a\\%b%']],
    ['a_b', "'a_' & '_b'", ['%a\\_b%']],
    ['&', "'&':*", []],
    ['!a', "'!a'", []],
    ['a:*', "'a:' & ':*'", ['%a:*%']],
  ])('treats operators and wildcards as text: %s', (text, tsquery, patterns) => {
    expect(searchQuery(text)).toMatchObject({ tsquery, patterns });
  });

  it('also searches for a number as the prefix of an ISBN', () => {
    expect(searchQuery('三体 978x')?.tsquery).toBe(
      "'三体' & (('97' & '78' & '8x') | '\u0002978x':*)",
    );
    expect(searchQuery('97')?.tsquery).toBe("'97'");
  });

  it('does not repeat a word', () => {
    expect(searchQuery('ab ab AB')?.tsquery).toBe("'ab'");
  });

  it('finds nothing for more than 200 different words', () => {
    const words = Array.from({ length: 201 }, (_, at) => `word${at}`);
    expect(searchQuery(words.slice(1).join(' '))?.patterns).toHaveLength(200);
    expect(searchQuery(words.join(' '))).toBeUndefined();
  });

  it('stays small for long queries, and still checks every word', () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at}`);
    const query = searchQuery(words.join(' '));
    expect(query?.tsquery.split(' & ').length).toBeLessThanOrEqual(24);
    expect(query?.patterns).toEqual(words.map((word) => `%${word}%`));
  });

  it.each(['城', '圍', '钟书 围城', 'ＱＩＡＮ'])(
    'requires only terms that each match has: %s',
    (text) => {
      const { terms, body } = searchText('圍城 qian', ['錢鍾書']);
      const query = searchQuery(text);
      for (const indexTerm of query?.tsquery.split(' & ') ?? []) {
        const term = indexTerm.replace(/^'|'(:\*)?$/g, '');
        const isMatch = (one: string) =>
          indexTerm.endsWith(':*') ? one.startsWith(term) : one === term;
        expect(terms.filter(isMatch)).not.toEqual([]);
      }
      for (const pattern of query?.patterns ?? []) expect(body).toContain(pattern.slice(1, -1));
    },
  );
});
