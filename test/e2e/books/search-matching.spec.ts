import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

const encoded = (text: string): string => encodeURIComponent(text);

/** Every run of a text's characters that says something, in full or cut out of the middle. */
function substringsOf(text: string): string[] {
  const characters = Array.from(text);
  const all = characters.flatMap((_, from) =>
    characters.slice(from).map((__, length) => characters.slice(from, from + length + 1).join('')),
  );
  return [...new Set(all)].filter((substring) => substring.trim() !== '');
}

describe('GET /v2/book/search: matching and ranking', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
  });
  afterAll(() => harness.close());

  /** Ids of what a query finds, in order. */
  const find = async (query: string): Promise<number[]> => {
    const response = await harness.call(`/v2/book/search?${query}&count=100&fields=id`);
    expect([query, response.status]).toEqual([query, 200]);
    const { total, count, books } = response.body;
    expect(total).toBe(count);
    return books.map(({ id }: { id: string }) => Number(id));
  };
  const findWords = (q: string): Promise<number[]> => find(`q=${encoded(q)}`);
  const titles = (names: string[], wire: (at: number) => object = () => ({})) =>
    make.books(names.length, (at) => ({ title: names[at], ...wire(at) }));

  describe('200', () => {
    it.each([
      '红楼梦（全四册）',
      'The Sea, the Sea',
      'C++ 语言·第2版',
      'ＦＵＬＬ　ｗｉｄｔｈ',
      '百年孤獨與愛情',
      'ガラスの仮面',
      '𠮷野家𠀋物語',
      `100% _"it's"_ \\ (a&b|!c:*) <->`,
      'Éloge de l’été',
      '해변의 카프카',
      '😀 x',
    ])('finds "%s" by every substring (D28)', async (title) => {
      const [id] = await titles([title]);
      for (const substring of substringsOf(title)) {
        expect([substring, await findWords(substring)]).toEqual([
          substring,
          expect.arrayContaining([id]),
        ]);
      }
    });

    it.each([
      ['圍城記', '围城记'],
      ['头发与发展', '頭髮與發展'],
      ['ＨＴＴＰ权威', 'http权威'],
      ['Latin Letters', 'ｌＡＴＩＮ　lＥＴＴＥＲＳ'],
      ['ｶﾞﾗｽ細工', 'ガラス细工'],
      ['１９８４年', '1984年'],
      ['STRASSE', 'straße'],
      ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ])('finds "%s" by "%s" and vice versa (D28)', async (one, other) => {
      const [first, second] = await titles([one, other]);
      for (const title of [one, other]) {
        expect((await findWords(title)).sort()).toEqual([first, second]);
        const middle = Array.from(title).slice(1, -1).join('');
        expect(await findWords(middle)).toEqual(expect.arrayContaining([first, second]));
      }
    });

    it('finds a book by authors, publisher, original title and both ISBNs (D28)', async () => {
      const id = await make.aBook({
        title: '题名',
        author: ['加西亚·马尔克斯', 'Gabriel García Márquez'],
        publisher: '南海出版公司',
        origin_title: 'Cien años de soledad',
        isbn10: '754425399X',
        isbn13: '9787544253994',
      });
      const words = ['加西亚·马尔克斯', '马尔克', '馬爾克斯', 'gabriel', 'arquez', 'Márquez'];
      words.push('南海出版公司', '出版公司', 'cien anos', 'SOLEDAD', 'oleda');
      words.push('754425399X', '754425399x', '9787544253994', '７５４４２５３９９Ｘ');
      for (const word of words) {
        expect([word, await findWords(word)]).toEqual([word, [id]]);
      }
      expect(await findWords('题名 马尔克斯 南海')).toEqual([id]);
    });

    it('requires every word of the query, in any order', async () => {
      const [both] = await titles(['alpha omega', 'alpha only', 'only omega']);
      expect(await findWords('omega alpha')).toEqual([both]);
      expect(await findWords('alph meg')).toEqual([both]);
      expect(await findWords('omega alpha nothing')).toEqual([]);
    });

    it('ranks exact, prefix, phrase, then all words, before popularity (D28)', async () => {
      const names = ['Moon so Red Tonight', 'The Red Moon Hotel', 'Red Moon Rising', 'Red Moon'];
      const ids = await titles(names, (at) => ({
        rating: { numRaters: 1000 - at * 100, average: '5.0' },
      }));
      expect(await findWords('red moon')).toEqual([...ids].reverse());
    });

    it('ranks parts of words in languages without spaces equally (D28)', async () => {
      const names = ['新浪潮之前', '浪潮之巅', '浪潮'];
      const ids = await titles(names, (at) => ({ rating: { numRaters: 9 - at, average: '5.0' } }));
      expect(await findWords('浪潮')).toEqual([...ids].reverse());
    });

    it('breaks ties by popularity, which includes new collections immediately (D28)', async () => {
      const popularities = [5, 30, 1, 30, 0];
      const ids = await make.books(5, (at) => ({
        title: ['平手', '平手记'][at % 2],
        rating: { numRaters: popularities[at], average: '6.0' },
      }));
      const [a, b, c, d, e] = ids;
      expect(await findWords('平手')).toEqual([a, c, e, b, d]);
      for (let at = 0; at < 2; at += 1) await make.aCollection({ book_id: e, rating: 1 });
      await make.aCollection({ book_id: d, rating: 1 });
      expect(await findWords('平手')).toEqual([a, e, c, d, b]);
    });

    const marks = ['%', '_', '\\', "'", '&', '|', '!', ':', '*', '(', ')', '"', '<->', ':*', '$1'];
    it.each([...marks, '?', '--', ';', '\\\\', '%%', "''", '<2>', '.', '[a]'])(
      'treats %s as text, not as SQL or a search operator (D28)',
      async (mark) => {
        const [plain] = await titles([`符内`, `符x内`]);
        const [id] = await titles([`符${mark}内`]);
        expect(await findWords(`符${mark}内`)).toEqual([id]);
        expect(await findWords(`${mark}内`)).toEqual(expect.arrayContaining([id]));
        const found = await findWords(mark);
        expect(found).toContain(id);
        expect(found).not.toContain(plain);
        expect(await findWords(`zzz${mark}`)).toEqual([]);
      },
    );

    it.each([
      ['ab%cd', 'ab% b%cd'],
      ['ab_cd', 'ab_ b_cd abxcd'],
      ['ab\\cd', 'ab\\ b\\cd abcd'],
    ])('does not find "%s" in "%s", which contains its parts only (D28)', async (q, title) => {
      const [exact] = await titles([`x${q}x`, title]);
      expect(await findWords(q)).toEqual([exact]);
    });

    it('accepts characters that stored text never contains (D9)', async () => {
      const [id] = await titles(['控制字符']);
      expect(await find('q=%E6%8E%A7%00%E5%88%B6')).toEqual([id]);
      for (const query of ['q=a%01b', 'q=%ED%A0%80', 'q=%FF', 'q=%ZZ', 'tag=a%00b']) {
        expect([query, (await harness.call(`/v2/book/search?${query}`)).status]).toEqual([
          query,
          200,
        ]);
      }
    });

    it.each([
      ['one word', 'abcdefghij'.repeat(200)],
      [
        'many words',
        Array.from({ length: 500 }, (_, at) => `w${String(at % 100).padStart(2, '0')}`).join(' '),
      ],
      ['Chinese', '长'.repeat(1000) + '短'.repeat(1000)],
    ])('accepts a query of 2,000 characters: %s', async (_, q) => {
      const [id] = await titles([q]);
      expect(await findWords(q)).toEqual([id]);
      expect(await findWords(`${q.slice(0, -1)}Ω`)).toEqual([]);
    });
  });
});
