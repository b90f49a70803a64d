import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectError, itNeedsScope, itSelectsFields } from '../guarantees';
import { BOOK, EMBEDDED_COLLECTION, membersOf } from './shapes';

describe('GET /v2/book/isbn/:name', () => {
  let harness: Harness;
  let make: Factories;
  let both: number;
  let withX: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    both = await make.aBook({ isbn10: '7531325098', isbn13: '9787531325093' });
    withX = await make.aBook({ isbn10: '080442957X', isbn13: '9780804429573' });
  });
  afterAll(() => harness.close());

  const get = (isbn: string, token?: string) => harness.call(`/v2/book/isbn/${isbn}`, { token });
  const idOf = async (isbn: string): Promise<number> => {
    const { status, body } = await get(isbn);
    expect(status).toBe(200);
    return Number(body.id);
  };

  describe('200', () => {
    it('returns the complete book of section 2.1', async () => {
      const { status, body } = await get('9787531325093');
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(BOOK);
      const isbns = { isbn10: '7531325098', isbn13: '9787531325093' };
      expect(body).toMatchObject({ id: String(both), ...isbns });
    });

    it.each([
      '7531325098',
      '9787531325093',
      '7-5313-2509-8',
      '978-7-5313-2509-3',
      '978-7531325093',
    ])('finds the book by %s', async (isbn) => expect(await idOf(isbn)).toBe(both));

    it.each(['080442957X', '080442957x', '0-8044-2957-x', '9780804429573'])(
      'finds a book with the check digit X by %s',
      async (isbn) => expect(await idOf(isbn)).toBe(withX),
    );

    it('finds a book by either ISBN when only the other is stored', async () => {
      const long = await make.aBook({ isbn13: '9780306406157' });
      expect(await idOf('0306406152')).toBe(long);
      const short = await make.aBook({ isbn10: '0-19-853453-1' });
      expect(await idOf('9780198534532')).toBe(short);
      const shortX = await make.aBook({ isbn10: '155404295x' });
      expect(await idOf('9781554042951')).toBe(shortX);
    });

    it('finds a book of the 979 range, which has no ISBN-10', async () => {
      const id = await make.aBook({ isbn13: '979-10-90636-07-1' });
      expect(await idOf('9791090636071')).toBe(id);
      expect(await idOf('979-10-90636-07-1')).toBe(id);
    });

    it("includes the caller's collection if it exists", async () => {
      const { id, user_id } = await make.aCollection({ book_id: both, status: 'wish' });
      const { body } = await get('7531325098', await harness.token({ userId: user_id }));
      expect(membersOf(body.current_user_collection)).toEqual(EMBEDDED_COLLECTION);
      expect(body.current_user_collection).toMatchObject({ id, status: 'wish' });
      const stranger = await harness.token({ userId: (await make.aUser()).id });
      for (const token of [undefined, await harness.token(), stranger]) {
        expect(membersOf((await get('7531325098', token)).body)).toEqual(BOOK);
      }
    });

    it('returns JSONP for a callback (D6)', async () => {
      const { text } = await get('7531325098?fields=isbn10&callback=take');
      expect(text).toBe('take({"isbn10":"7531325098"});');
    });

    const path = '/v2/book/isbn/7531325098';
    itSelectsFields(() => ({ harness, path, members: BOOK, two: ['isbn10', 'images'] }));
  });

  describe('403', () => {
    it('returns 6007 for the ISBN of a magazine (D27)', async () => {
      await make.aBook({ kind: 'magazine', isbn13: '9789990000016' });
      expectError(await get('9789990000016'), 403, 6007, 'not_book_request');
    });
    itNeedsScope('book_basic_r', () => ({ harness, path: '/v2/book/isbn/7531325098' }));
  });

  describe('404', () => {
    const unknown = ['9787111111115', '7111111110', '1', 'abc', 'X', '-', '97875313250930'];
    it.each([...unknown, '753132509', '9'.repeat(300), '080442957Y', '_'])(
      'returns 6000 for the unknown ISBN %s',
      async (isbn) => {
        // Books without numbers are not found by an empty one.
        await make.aBook();
        expectError(await get(isbn), 404, 6000, 'book_not_found');
      },
    );

    it.each(['75313+25098', '%E4%B9%A6', '7531325098%20', 'a%2Fb', '%00', "'"])(
      'returns 1001 for %s, which is not a valid :name (section 1)',
      async (isbn) => expectError(await get(isbn), 404, 1001, 'uri_not_found'),
    );
  });
});
