import { readdir } from 'node:fs/promises';
import { Factories } from '../../factories/factories';
import { noise } from '../../factories/pictures';
import { type TestResponse, type Harness } from '../../harness';
import { startWithPictures } from './pictures';

/** With this limit in megabytes, the second of these pictures exceeds it. */
const LIMIT_MB = '1';
const SIDE = 450;

let harness: Harness & { readonly folder: string };
let make: Factories;
let book: number;
beforeAll(async () => {
  harness = await startWithPictures({ USER_PICTURES_MB: LIMIT_MB });
  make = new Factories(harness.database);
  book = await make.aBook();
});
afterAll(() => harness.close());

const tokenOfNewUser = async (): Promise<string> =>
  harness.token({ userId: (await make.aUser()).id });

async function upload(
  path: string,
  token: string,
  field: string,
  { seed, ...texts }: { seed: number } & Record<string, string | number>,
): Promise<TestResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries(texts)) body.append(name, String(value));
  const bytes = new Uint8Array(await noise(SIDE, SIDE, seed).png().toBuffer());
  body.append(field, new Blob([bytes]), 'picture.png');
  return harness.call(path, { method: 'POST', token, body });
}
const annotate = (token: string, seed: number): Promise<TestResponse> =>
  upload(`/v2/book/${book}/annotations`, token, '1', {
    seed,
    content: 'A text with a picture',
    page: 3,
  });
const writeNote = (token: string, seed: number): Promise<TestResponse> =>
  upload('/v2/notes', token, 'image_1', {
    seed,
    title: 'A note',
    content: 'A text with a picture',
    pids: 'p_1',
    layout_1: 'C',
    desc_1: 'Noise',
  });

it('limits the pictures of the notes and annotations of a user together: 999 (D123)', async () => {
  const token = await tokenOfNewUser();
  const first = await annotate(token, 1);
  expect(first.status).toBe(201);
  const files = (await readdir(harness.folder, { recursive: true })).length;
  for (const refused of [await annotate(token, 2), await writeNote(token, 3)]) {
    expect([refused.status, refused.body.code]).toEqual([400, 999]);
    expect(refused.headers.get('x-error-detail')).toContain('at most 1 MB');
  }
  expect((await readdir(harness.folder, { recursive: true })).length).toBe(files);
  expect((await writeNote(await tokenOfNewUser(), 4)).status).toBe(201);
});

it('frees the space of deleted texts at once (D123)', async () => {
  const token = await tokenOfNewUser();
  const { body } = await annotate(token, 5);
  expect((await annotate(token, 6)).body.code).toBe(999);
  const deleted = await harness.call(`/v2/book/annotation/${body.id}`, { method: 'DELETE', token });
  expect(deleted.status).toBe(204);
  expect((await annotate(token, 6)).status).toBe(201);
});
