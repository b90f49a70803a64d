import { get } from 'node:http';
import { MAX_PICTURES } from '../../src/images/numbered-pictures';
import { flat } from '../factories/pictures';
import { atScale } from '../figures';
import { type TestResponse } from '../http';
import { Target } from './target';

/** Annotations of a list, and clients that read it at once. */
const ANNOTATIONS = 100;
const READERS = atScale(100, 5);

let target: Target;
let token: string;
let author: { id: number; uid: string };
beforeAll(async () => {
  target = await Target.start();
  author = await target.make.aUser();
  token = await target.token({ userId: author.id });
});
afterAll(() => target.close());

const query = (sql: string, values: unknown[]): Promise<unknown> =>
  target.opened.source.query(sql, values);

async function send(method: string, path: string, ...numbers: number[]): Promise<TestResponse> {
  const bytes = new Uint8Array(await flat(8, 8).png().toBuffer());
  const body = new FormData();
  body.append('content', 'A text with many pictures');
  body.append('page', '1');
  for (const number of numbers) body.append(`pic${number}`, new Blob([bytes]), 'picture.png');
  return target.call(path, { method, token, body });
}

/** Creates an annotation with pictures 1 to `count`. @returns its id */
async function annotationWith(count: number): Promise<number> {
  const made = await send('POST', `/v2/book/${await target.make.aBook()}/annotations`, 1);
  expect(made.status).toBe(201);
  const { id } = made.body as { id: string };
  await query(
    `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
     SELECT subject, subject_id, n, hash, private
     FROM picture_uses, generate_series(2, $2::int) n WHERE subject_id = $1`,
    [id, count],
  );
  await query(
    `UPDATE annotations SET last_photo = $2, photos =
       (SELECT jsonb_object_agg(n::text, photos -> '1') FROM generate_series(1, $2::int) n)
     WHERE id = $1`,
    [id, count],
  );
  return Number(id);
}

const isRefused = (response: TestResponse): void => {
  expect([response.status, response.body.code]).toEqual([400, 999]);
  expect(response.headers.get('x-error-detail')).toMatch(`at most ${MAX_PICTURES} pictures`);
};

it('202 up to 300 pictures, 400 and 999 for more (D41)', async () => {
  const path = `/v2/book/annotation/${await annotationWith(MAX_PICTURES - 2)}`;
  isRefused(await send('PUT', path, 600, 601, 602));
  const full = await send('PUT', path, 600, 601);
  expect(full.status).toBe(202);
  expect(Object.keys(full.body.photos as object)).toHaveLength(MAX_PICTURES);
  isRefused(await send('PUT', path, 602));
});

it('400 and 999 when a concurrent request has added the last pictures', async () => {
  const id = await annotationWith(MAX_PICTURES);
  // As the first check of both requests sees it.
  await query(`UPDATE annotations SET photos = '{}' WHERE id = $1`, [id]);
  isRefused(await send('PUT', `/v2/book/annotation/${id}`, 600));
});

it('200 or 503: lists of texts with 300 pictures each take a bounded amount of memory', async () => {
  const id = await annotationWith(MAX_PICTURES);
  await query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content, photos, last_photo)
     SELECT user_id, book_id, '', n, content, photos, last_photo
     FROM annotations, generate_series(2, ${ANNOTATIONS}) n WHERE id = $1`,
    [id],
  );
  const read = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const path = `/v2/book/user/${author.uid}/annotations?count=${ANNOTATIONS}`;
      get(target.origin + path, { agent: false }, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode);
        });
      }).on('error', reject);
    });
  const statuses = await target.attack('many pictures', () =>
    Promise.all(Array.from({ length: READERS }, read)),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
});
