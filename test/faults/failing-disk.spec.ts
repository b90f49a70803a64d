import { once } from 'node:events';
import { mkdtemp, rename, rm, symlink, truncate } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { PictureSweeper } from '../../src/images/picture-sweeper';
import { LogLines } from '../e2e/api/log-lines';
import { signedInAdministrator } from '../e2e/console/administrator';
import { send } from '../e2e/notes/parts';
import { hiddenFields } from '../e2e/oauth/browser';
import { showPicture, someJpeg } from '../e2e/pictures/pictures';
import { Factories } from '../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../harness';

/** More than the buffers of a connection hold. */
const LARGE = 64 * 1024 * 1024;

let harness: Harness;
let log: LogLines;
let token: string;
/** It contains the folders of the settings, which can be replaced. */
let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'commonplace-failing-'));
  log = new LogLines('error');
  const settings = {
    PICTURES_DIR: pictures(),
    TRANSFER_DIR: transfers(),
    UPLOADS_DIR: uploads(),
  };
  harness = await startHarness({ settings, logger: log.logger });
  token = await harness.token({ userId: (await new Factories(harness.database).aUser()).id });
});
afterEach(async () => {
  await harness.close();
  await rm(parent, { recursive: true });
});

const pictures = (): string => join(parent, 'pictures');
const transfers = (): string => join(parent, 'transfers');
const uploads = (): string => join(parent, 'uploads');
const fileOf = ({ hash }: { hash: string }): string =>
  join(pictures(), hash.slice(0, 2), `${hash}-l.jpg`);

/** Every operation on a link to itself fails with ELOOP, also those of root. */
const linkToItself = (path: string): Promise<void> => symlink(path, path);

const uploadOf = (image_1: Buffer): Promise<TestResponse> =>
  send(harness, token, 'POST', '/v2/notes', {
    title: 'title',
    content: 'text',
    pids: 'p_1',
    image_1,
  });
const upload = async (): Promise<TestResponse> => uploadOf(await someJpeg());

const stored = async (): Promise<unknown> =>
  harness.source.query('SELECT count(*)::int AS notes FROM notes');

/** Status, Retry-After and Cache-Control of all ways to read a picture. */
const readings = (path: string): Promise<unknown[]> =>
  Promise.all(
    [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-9' } }].map(async (init) => {
      const { status, headers } = await fetch(harness.origin + path, init);
      return [status, headers.get('retry-after'), headers.get('cache-control')];
    }),
  );
const CACHED = 'public, max-age=31536000, immutable';
const SERVED = [200, 200, 206].map((status) => [status, null, CACHED]);
const UNAVAILABLE = Array.from({ length: 3 }, () => [503, '2', null]);

const failures = (): unknown[] =>
  log.lines
    .filter(({ msg }) => msg === 'request failed')
    .map(({ err }) => (err as { message: string }).message);

it('503 for a picture that cannot be read, whose cause is in the log once', async () => {
  const picture = await showPicture(harness, await someJpeg(), false);
  const other = await showPicture(harness, await someJpeg(), false);
  await rename(fileOf(picture), join(parent, 'file'));
  await linkToItself(fileOf(picture));
  for (let round = 0; round < 3; round += 1)
    expect(await readings(picture.path)).toEqual(UNAVAILABLE);
  expect(await readings(other.path)).toEqual(SERVED);
  await rm(fileOf(picture));
  await rename(join(parent, 'file'), fileOf(picture));
  expect(await readings(picture.path)).toEqual(SERVED);
  // GET opens the file, HEAD does not.
  expect(failures().sort()).toEqual([
    expect.stringMatching(/^ELOOP: .+, open '/),
    expect.stringMatching(/^ELOOP: .+, stat '/),
  ]);
});

it('503 for reads, uploads and deletions while the folder fails, without a loss', async () => {
  const picture = await showPicture(harness, await someJpeg(), false);
  const before = await stored();
  await rename(pictures(), join(parent, 'moved'));
  await linkToItself(pictures());
  expect(await readings(picture.path)).toEqual(UNAVAILABLE);
  const { status, headers, body } = await upload();
  expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 999]);
  const sweeper = harness.app.get(PictureSweeper, { strict: false });
  await expect(sweeper.sweep({ graceSeconds: 0 })).rejects.toMatchObject({ status: 503 });
  expect(await stored()).toEqual(before);
  await rm(pictures());
  await rename(join(parent, 'moved'), pictures());
  expect(await readings(picture.path)).toEqual(SERVED);
  expect((await upload()).status).toBe(201);
});

it('503 for uploads of any size while the folder of uploads fails', async () => {
  // The rest of a large picture is not counted as text, whose limit is smaller.
  const large = Buffer.concat([await someJpeg(), Buffer.alloc(2_500_000)]);
  await linkToItself(uploads());
  for (const picture of [await someJpeg(), large]) {
    const { status, headers } = await uploadOf(picture);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  }
  await rm(uploads());
  expect((await uploadOf(large)).status).toBe(201);
});

it('a response ends with its connection when its file cannot be read further', async () => {
  const picture = await showPicture(harness, await someJpeg(), false);
  await truncate(fileOf(picture), LARGE);
  const resize = `UPDATE pictures SET bytes = $2 WHERE hash = decode($1, 'hex')`;
  await harness.source.query(resize, [picture.hash, LARGE]);
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get(harness.origin + picture.path, { agent }), 'response')) as [
    IncomingMessage,
  ];
  expect(response.statusCode).toBe(200);
  await truncate(fileOf(picture), 100_000);
  await expect(finished(response.resume())).rejects.toThrow();
  agent.destroy();
  expect((await harness.call('/healthz')).status).toBe(200);
});

it('503 for the transfers of the console while their folder fails', async () => {
  const administrator = await signedInAdministrator(harness, 'root');
  const { form_token = '' } = hiddenFields((await administrator.open('/admin')).text);
  const receive = async (): Promise<[number, string | null]> => {
    const form = new FormData();
    form.append('form_token', form_token);
    form.append('file', new Blob(['{"id":"1"}']), 'books.ndjson');
    const { status, headers } = await fetch(`${harness.origin}/admin/transfers/upload`, {
      method: 'POST',
      body: form,
      headers: { cookie: `commonplace_login=${administrator.cookie}` },
      redirect: 'manual',
    });
    return [status, headers.get('retry-after')];
  };
  const statuses = async (): Promise<number[]> => [
    (await administrator.open('/admin/transfers')).status,
    (await administrator.open('/admin/transfers/files/books.ndjson')).status,
  ];
  expect((await receive())[0]).toBe(303);
  expect(await statuses()).toEqual([200, 200]);
  await rename(transfers(), join(parent, 'moved'));
  await linkToItself(transfers());
  expect(await receive()).toEqual([503, '2']);
  expect(await statuses()).toEqual([503, 503]);
  await rm(transfers());
  await rename(join(parent, 'moved'), transfers());
  expect(await statuses()).toEqual([200, 200]);
});
