import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';

const TOTAL = 120;
const LISTS = ['photos', 'reviews', 'comments'] as const;

let harness: Harness;
let make: MovieFactories;
let token: string;
let id: number;
const ids: Record<string, number[]> = {};
beforeAll(async () => {
  harness = await startHarness();
  make = new MovieFactories(harness.database);
  token = await harness.token({ scopes: ['movie_advance_r'] });
  id = await make.aSubject({ title: 'Full' });
  const other = await make.aSubject();
  // Few days, so that ids decide between many.
  const when = (at: number) => ({ created_at: `2020-01-${10 + (at % 7)} 00:00:00` });
  ids.photos = await make.photos({ subject_id: id }, TOTAL, when);
  ids.reviews = await make.reviews(id, TOTAL, (at) => ({ ...when(at), useful_count: at % 5 }));
  ids.comments = await make.comments(id, TOTAL, (at) => ({ ...when(at), useful_count: at % 5 }));
  await make.photos({ subject_id: other }, 1);
  await make.reviews(other, 1);
  await make.comments(other, 1);
});
afterAll(() => harness.close());

/** Places of elements by how useful they are (where that counts), then the newest first. */
const expectedOrder = (member: string): string[] =>
  (ids[member] ?? [])
    .map((one, at) => ({ one, useful: member === 'photos' ? 0 : at % 5, day: at % 7 }))
    .sort((a, b) => b.useful - a.useful || b.day - a.day || b.one - a.one)
    .map(({ one }) => String(one));

describe.each(LISTS)('GET /v2/movie/subject/:id/%s', (member) => {
  const pathOf = (subject: string | number): string => `/v2/movie/subject/${subject}/${member}`;
  const list = () => ({
    ...{ harness, path: pathOf(id), member, token },
    ...{ total: TOTAL, usual: 10, extra: ['subject'] },
  });

  describe('200', () => {
    itIsPaged(list);

    it('has all elements of the subject, in order', async () => {
      const elements = await walk(list(), 50);
      expect(elements.map((element) => element.id)).toEqual(expectedOrder(member));
      expect(new Set(elements.map((element) => element.subject_id))).toEqual(new Set([String(id)]));
    });

    it('includes the subject, also in empty pages', async () => {
      const empty = await make.aSubject({ title: 'Empty' });
      const none = (await harness.call(pathOf(empty), { token })).body;
      expect(none).toMatchObject({ count: 0, total: 0, [member]: [], subject: { title: 'Empty' } });
      const past = (await harness.call(`${pathOf(id)}?start=500`, { token })).body;
      expect(past).toMatchObject({ total: TOTAL, subject: { id: String(id), title: 'Full' } });
    });

    it('runs the same statements for 1 element as for 100', async () => {
      const few = await statementsOf(harness, `${pathOf(id)}?count=1`, token);
      const many = await statementsOf(harness, `${pathOf(id)}?count=100`, token);
      expect([few.count, many.count]).toEqual([1, 100]);
      expect(many.names).toEqual(few.names);
    });
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 1001 for the unknown subject %s (D37)', async (unknown) => {
      const response = await harness.call(`${pathOf(unknown)}?start=20`, { token });
      expectError(response, 404, 1001, 'uri_not_found');
    });
  });
});

describe('a photo', () => {
  it('has its position in its album, or the imported one', async () => {
    const subject = await make.aSubject({ title: 'Album' });
    const [old, middle, young] = await make.photos({ subject_id: subject }, 3, (at) => ({
      created_at: `2020-01-0${1 + at} 00:00:00`,
      ...(at === 0 ? { position: 52, prev_photo: '', next_photo: '77', photos_count: 187 } : {}),
    }));
    const { body } = await harness.call(`/v2/movie/subject/${subject}/photos`, { token });
    const places = body.photos.map((photo: Record<string, unknown>) => [
      ...[Number(photo.id), photo.position, photo.prev_photo, photo.next_photo],
      ...[
        photo.photos_count,
        photo.album_id,
        photo.album_title,
        (photo.author as { id: string }).id,
      ],
    ]);
    const album = [String(subject), 'Album', ''];
    expect(places).toEqual([
      [young, 0, '', String(middle), 3, ...album],
      [middle, 1, String(young), String(old), 3, ...album],
      [old, 52, '', '77', 187, ...album],
    ]);
  });
});
