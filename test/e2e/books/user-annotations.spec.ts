import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itNeedsScope,
  itRefusesMalformedPages,
  itSelectsFields,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { ANNOTATION, BOOK, membersOf, USER } from './shapes';

describe('GET /v2/book/user/:name/annotations', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    const { id } = await make.aUser({ uid: 'writer' });
    // Three times of update: long runs of ties.
    await make.annotations(id, await make.aBook(), 105, (at) => ({
      time: `2012-10-1${at % 3} 09:00:38`,
    }));
  });
  afterAll(() => harness.close());

  const path = '/v2/book/user/writer/annotations';
  const list = () => ({ harness, path, member: 'annotations', total: 105 });
  const get = (name: string | number, token?: string) =>
    harness.call(`/v2/book/user/${name}/annotations`, { token });

  describe('200', () => {
    itIsPaged(list);

    it('has annotations of section 2.5, by uid and by numeric id alike', async () => {
      const { id: author_id, uid } = await make.aUser();
      const { id, book_id } = await make.anAnnotation({ author_id, time: '2012-10-18 09:00:38' });
      for (const name of [author_id, uid]) {
        const { status, body } = await get(name);
        expect(status).toBe(200);
        expect(body).toMatchObject({ start: 0, count: 1, total: 1 });
        const [annotation] = body.annotations;
        expect(membersOf(annotation)).toEqual(ANNOTATION);
        expect(membersOf(annotation.book)).toEqual(BOOK);
        expect(membersOf(annotation.author_user)).toEqual(USER);
        expect(annotation).toMatchObject({
          id: String(id),
          book_id: String(book_id),
          book: { id: String(book_id) },
          author_id: String(author_id),
          author_user: { id: String(author_id), uid },
          time: '2012-10-18 09:00:38',
        });
      }
    });

    it('orders annotations of all books by update, newest first', async () => {
      const { id: author_id } = await make.aUser();
      const days = ['14', '12', '15', '11', '13'];
      for (const day of days) {
        await make.anAnnotation({ author_id, time: `2012-10-${day} 09:00:38` });
      }
      const { body } = await get(author_id);
      expect(body.annotations.map(({ time }: { time: string }) => time.slice(8, 10))).toEqual([
        '15',
        '14',
        '13',
        '12',
        '11',
      ]);
    });

    it('has the same order on pages of any size', async () => {
      const idsBy = async (count: number) => (await walk(list(), count)).map(({ id }) => id);
      expect(await idsBy(7)).toEqual(await idsBy(100));
    });

    it('excludes private annotations from elements and total, except for their author (D21)', async () => {
      const { id: author_id } = await make.aUser();
      const open = await make.anAnnotation({ author_id, time: '2012-10-10 00:00:00' });
      const hidden = await make.anAnnotation({
        author_id,
        privacy: 1,
        time: '2012-10-11 00:00:00',
      });
      const stranger = await harness.token({ userId: (await make.aUser()).id });
      for (const token of [undefined, await harness.token(), stranger]) {
        const { body } = await get(author_id, token);
        expect(body).toMatchObject({ count: 1, total: 1 });
        expect(body.annotations).toMatchObject([{ id: String(open.id), privacy: 2 }]);
      }
      const { body } = await get(author_id, await harness.token({ userId: author_id }));
      expect(body).toMatchObject({ count: 2, total: 2 });
      expect(body.annotations).toMatchObject([
        { id: String(hidden.id), privacy: 1 },
        { id: String(open.id), privacy: 2 },
      ]);
    });

    it('runs the same statements for 1 annotation as for 100', async () => {
      const token = await harness.token({ userId: (await make.aUser()).id });
      for (const caller of [undefined, token]) {
        const few = await statementsOf(harness, `${path}?count=1`, caller);
        const many = await statementsOf(harness, `${path}?count=100`, caller);
        expect([few.count, many.count]).toEqual([1, 100]);
        expect(many.names).toEqual(few.names);
      }
    });

    it('is empty for a user without annotations', async () => {
      const { body } = await get((await make.aUser()).uid);
      expect(body).toEqual({ start: 0, count: 0, total: 0, annotations: [] });
    });

    itSelectsFields(() => ({ ...list(), members: ANNOTATION, two: ['abstract', 'author_user'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path }));
  });

  describe('404', () => {
    it.each([...UNKNOWN_IDS, 'nobody'])('returns 6008 for the unknown user %s', async (name) => {
      expectError(await get(name), 404, 6008, 'people_not_found');
    });
  });
});
