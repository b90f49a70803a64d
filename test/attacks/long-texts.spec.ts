import { get } from 'node:http';
import { MAX_RESPONSE_BYTES } from '../../src/api/resources/list-writer';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { atScale } from '../figures';
import { Target } from './target';

/** Each of these is rendered as much longer HTML. */
const QUOTES = '"'.repeat(MAX_CONTENT);
const PICTURES = '<图片1>'.repeat(MAX_CONTENT / 5);
const LINKS = 'http://a '.repeat(Math.floor(MAX_CONTENT / 9));

const ANNOTATIONS = 100;
const READERS = atScale(200, 20);

let target: Target;
let book: number;
beforeAll(async () => {
  target = await Target.start();
  book = await target.make.aBook();
  const { id: user } = await target.make.aUser();
  // As rows: through the interface nobody has to wait for a hundred requests.
  await target.opened.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content, photos, last_photo)
     SELECT $1, $2, '', n, ($3::text[])[1 + n % 3], '{"1": "/pictures/x.jpg"}', 1
     FROM generate_series(1, ${ANNOTATIONS}) n`,
    [user, book, [QUOTES, PICTURES, LINKS]],
  );
});
afterAll(() => target.close());

interface List {
  readonly count: number;
  readonly total: number;
  readonly annotations: readonly { readonly id: string }[];
}

/** One request on a connection of its own: one that is kept alive would count as held. */
const request = (path: string): Promise<{ status: number | undefined; body: Buffer }> =>
  new Promise((resolve, reject) => {
    get(target.origin + path, { agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => {
          resolve({ status: response.statusCode, body: Buffer.concat(pieces) });
        })
        .on('error', reject);
    }).on('error', reject);
  });

async function read(query: string): Promise<{ bytes: number; list: List }> {
  const { status, body } = await request(`/v2/book/${book}/annotations?${query}`);
  expect(status).toBe(200);
  return { bytes: body.length, list: JSON.parse(body.toString()) as List };
}

describe('GET /v2/book/:id/annotations with texts of the maximum length', () => {
  it('200: returns fewer elements than requested, at most 8 MB, with their count (D41)', async () => {
    const { bytes, list } = await read(`count=${ANNOTATIONS}&format=html`);
    expect(bytes).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
    expect(list.total).toBe(ANNOTATIONS);
    expect(list.annotations).toHaveLength(list.count);
    expect(list.count).toBeGreaterThan(0);
    expect(list.count).toBeLessThan(ANNOTATIONS);
  });

  it('200: the next page begins after the last returned element', async () => {
    const seen = new Set<string>();
    while (seen.size < ANNOTATIONS) {
      const { list } = await read(`start=${seen.size}&count=${ANNOTATIONS}&format=html`);
      expect(list.count).toBeGreaterThan(0);
      for (const { id } of list.annotations) seen.add(id);
    }
    expect(seen.size).toBe(ANNOTATIONS);
  });

  it('200: a list is not longer if its response has few members of the texts (D41)', async () => {
    // 200,000 bytes each.
    const text = '\u{20bb7}'.repeat(MAX_CONTENT);
    const [row] = await target.opened.source.query<{ id: number; user: string }[]>(
      `WITH b AS (INSERT INTO books (title) VALUES ('t') RETURNING id),
         u AS (INSERT INTO users (uid, name) VALUES ('writer', 'n') RETURNING id),
         a AS (INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
           SELECT u.id, b.id, '', n, $1 FROM b, u, generate_series(1, ${ANNOTATIONS}) n),
         m AS (INSERT INTO notes (user_id, title, content, privacy)
           SELECT u.id, 't', $1, 'public' FROM u, generate_series(1, ${ANNOTATIONS}) n)
       SELECT b.id::int AS id, u.id::text AS user FROM b, u`,
      [text],
    );
    const token = await target.token({ userId: Number(row?.user) });
    const lists = [
      `/v2/book/${row?.id}/annotations`,
      `/v2/book/user/${row?.user}/annotations`,
      `/v2/note/user_created/${row?.user}`,
    ];
    for (const path of lists) {
      const seen = new Set<string>();
      while (seen.size < ANNOTATIONS) {
        const query = `fields=id&start=${seen.size}&count=${ANNOTATIONS}&format=text`;
        const { body } = await target.call(`${path}?${query}`, { token });
        const list = body as unknown as List & { notes?: List['annotations'] };
        const elements = list.notes ?? list.annotations;
        expect(elements.length).toBeGreaterThan(0);
        expect(elements.length * 200_000).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
        expect([list.count, list.total]).toEqual([elements.length, ANNOTATIONS]);
        for (const { id } of elements) seen.add(id);
      }
    }
  });

  it('200 or 503: other requests are served while many clients read such lists', async () => {
    const statuses = await target.attack('long texts', () =>
      Promise.all(
        Array.from({ length: READERS }, async () => {
          const path = `/v2/book/${book}/annotations?count=${ANNOTATIONS}&format=html`;
          return (await request(path)).status;
        }),
      ),
    );
    // Beyond what is rendered at once, and may wait for it, readers are told to come again.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
  });
});
