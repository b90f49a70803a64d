import { fold } from './fold';
import { searchQuery, searchText } from './terms';

describe('searchText (D28)', () => {
  it('has each pair of Chinese characters and the last character, once', () => {
    expect([...searchText('三体三', []).terms].sort()).toEqual(['三', '三体', '体三'].sort());
  });

  it('has trigrams that begin with a letter', () => {
    expect([...searchText('abcd', []).terms].sort()).toEqual(['abc', 'bcd', 'cd', 'd']);
    expect(searchText('三体ab', []).terms).toEqual(['三体', '体a', 'ab', 'b']);
    expect(searchText('a三体b', []).terms).toEqual(['a三体', '三体', '体b', 'b']);
  });

  it('makes no term across words', () => {
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

  it('searches for terms, and for shorter words as prefixes', () => {
    expect(searchQuery('三体 a')).toEqual({
      phrase: '三体 a',
      tsquery: "'三体' & 'a':*",
      patterns: [],
    });
  });

  it('adds a LIKE filter for words of several terms', () => {
    expect(searchQuery('abcd')).toEqual({
      phrase: 'abcd',
      tsquery: "'abc' & 'bcd'",
      patterns: ['%abcd%'],
    });
    expect(searchQuery('三体三')).toMatchObject({
      tsquery: "'三体' & '体三'",
      patterns: ['%三体三%'],
    });
  });

  it('adds no LIKE filter for a word that is a term or a prefix of one', () => {
    expect(searchQuery('abc a三 三b')).toEqual({
      phrase: 'abc a三 三b',
      tsquery: "'abc' & 'a三':* & '三b'",
      patterns: [],
    });
  });

  it.each([
    ["o'cc", "'o''c' & '''cc'", ["%o'cc%"]],
    ['a\\bc', "'a\\\\b' & '\\\\bc'", ['%a\\\\bc%']],
    ['a%bc', "'a%b' & '%bc'", ['%a\\%bc%']],
    ['a_bc', "'a_b' & '_bc'", ['%a\\_bc%']],
    ['&', "'&':*", []],
    ['!a', "'!a':*", []],
    ['ab:*', "'ab:' & 'b:*'", ['%ab:*%']],
  ])('treats operators and wildcards as text: %s', (text, tsquery, patterns) => {
    expect(searchQuery(text)).toMatchObject({ tsquery, patterns });
  });

  it('also searches for a number as the prefix of an ISBN', () => {
    expect(searchQuery('三体 978x')?.tsquery).toBe("'三体' & (('978' & '78x') | '\u0002978x':*)");
    expect(searchQuery('97')?.tsquery).toBe("'97':*");
  });

  it('does not repeat a word', () => {
    expect(searchQuery('ab ab AB')?.tsquery).toBe("'ab':*");
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

  it.each(['城', '圍', '钟书 围城', 'ＱＩＡＮ', 'an', 'n', 'qia', 'n钱', '书q'])(
    'requires only terms that each match has: %s',
    (text) => {
      const { terms, body } = searchText('圍城 qian', ['錢鍾書q', 'n錢鍾']);
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
