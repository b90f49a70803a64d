import { readdir } from 'node:fs/promises';
import { PictureSweeper, type SweepResult } from '../../../src/images/picture-sweeper';
import { Factories } from '../../factories/factories';
import { noise } from '../../factories/pictures';
import { type TestResponse, type Harness } from '../../harness';
import { startWithPictures } from './pictures';

/** With this limit in megabytes, the second of these pictures exceeds it. */
const LIMIT_MB = '1';
const SIDE = 450;
/** Of these, whose small file is as large as the other one, the third exceeds it. */
const SMALL_SIDE = 300;

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
  {
    seed,
    side = SIDE,
    ...texts
  }: { seed: number; side?: number } & Record<string, string | number>,
): Promise<TestResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries(texts)) body.append(name, String(value));
  const bytes = new Uint8Array(await noise(side, side, seed).png().toBuffer());
  body.append(field, new Blob([bytes]), 'picture.png');
  return harness.call(path, { method: 'POST', token, body });
}
const annotate = (token: string, seed: number, side = SIDE): Promise<TestResponse> =>
  upload(`/v2/book/${book}/annotations`, token, '1', {
    seed,
    side,
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

it('counts both files of a picture (D123)', async () => {
  const token = await tokenOfNewUser();
  const statuses: number[] = [];
  for (let seed = 20; seed < 24; seed += 1) {
    statuses.push((await annotate(token, seed, SMALL_SIDE)).status);
  }
  expect(statuses).toEqual([201, 201, 400, 400]);
});

const deleteText = async (path: string, token: string): Promise<void> => {
  const { status } = await harness.call(path, { method: 'DELETE', token });
  expect([200, 204]).toContain(status);
};

/** Deletes the files of unused pictures, as the task does an hour later. */
const sweep = (): Promise<SweepResult> =>
  harness.app.get(PictureSweeper, { strict: false }).sweep({ graceSeconds: 0 });

it('frees the space of deleted texts when their files are deleted (D123)', async () => {
  const token = await tokenOfNewUser();
  const annotation = await annotate(token, 5);
  await deleteText(`/v2/book/annotation/${annotation.body.id}`, token);
  expect((await annotate(token, 6)).body.code).toBe(999);
  expect(await sweep()).toEqual({ removed: 2, unknown: 0 });
  const note = await writeNote(token, 6);
  expect(note.status).toBe(201);
  await deleteText(`/v2/note/${note.body.id}`, token);
  expect((await writeNote(token, 7)).body.code).toBe(999);
  await sweep();
  expect((await writeNote(token, 7)).status).toBe(201);
});

it('counts pictures whose text could not be written (D123)', async () => {
  const token = await tokenOfNewUser();
  await harness.source.query(
    'ALTER TABLE annotations ADD CONSTRAINT refuse CHECK (false) NOT VALID',
  );
  try {
    expect((await annotate(token, 8)).status).toBe(500);
  } finally {
    await harness.source.query('ALTER TABLE annotations DROP CONSTRAINT refuse');
  }
  expect((await annotate(token, 9)).body.code).toBe(999);
  await sweep();
  expect((await annotate(token, 9)).status).toBe(201);
});

it('counts a picture that another user still shows for that user alone (D123)', async () => {
  const [token, other] = [await tokenOfNewUser(), await tokenOfNewUser()];
  const { body } = await annotate(token, 10);
  const shown = await annotate(other, 10);
  expect(shown.status).toBe(201);
  await deleteText(`/v2/book/annotation/${body.id}`, token);
  expect((await annotate(token, 11)).status).toBe(201);
  await deleteText(`/v2/book/annotation/${shown.body.id}`, other);
  expect((await annotate(other, 12)).body.code).toBe(999);
});
