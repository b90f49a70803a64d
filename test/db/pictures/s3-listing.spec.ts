import { type IncomingMessage, type ServerResponse } from 'node:http';
import { PictureSweeper } from '../../../src/images/picture-sweeper';
import { type S3Storage } from '../../../src/images/s3-storage';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { openBucket } from './s3-bucket';

const NAME = `${'aa'.repeat(32)}-l.jpg`;
const MEGABYTE = 1024 * 1024;

const object = (key: string): string =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`;
const page = (objects: string, token?: string): string =>
  `<ListBucketResult><IsTruncated>${String(token !== undefined)}</IsTruncated>${objects}` +
  `${token === undefined ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`}</ListBucketResult>`;

let respond: (response: ServerResponse, request: IncomingMessage) => void;
let requests = 0;
let bucket: Awaited<ReturnType<typeof openBucket>>;
let opened: TestDatabase;
let storage: S3Storage;
beforeAll(async () => {
  opened = await openTestDatabase();
  bucket = await openBucket((request, response) => {
    requests += 1;
    respond(response, request);
  });
  ({ storage } = bucket);
});
beforeEach(() => {
  requests = 0;
});
afterAll(async () => {
  bucket.close();
  await opened.close();
});

/** More pages than any test needs: a listing that does not end fails. */
const MAX_PAGES = 20;

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of storage.list()) {
    found.push(name);
    if (requests > MAX_PAGES) throw new Error('the listing does not end');
  }
  return found;
}

it('a page of more than 8 MB is a failure, and the rest is not read', async () => {
  let sent = 0;
  const closed = new Promise<void>((resolve) => {
    respond = (response) => {
      const piece = Buffer.alloc(MEGABYTE, 'x');
      const send = (): void => {
        // Ends for a client that reads everything.
        while (!response.destroyed && sent < 256 * MEGABYTE && response.write(piece))
          sent += piece.length;
        if (sent >= 256 * MEGABYTE) response.end();
      };
      response.on('drain', send).on('close', resolve);
      send();
    };
  });
  await expect(names()).rejects.toMatchObject({
    status: 503,
    cause: { message: expect.stringContaining('more than 8388608 bytes') as string },
  });
  await closed;
  expect(sent).toBeLessThan(64 * MEGABYTE);
});

it.each([
  ['the token of the request', 'same', /the continuation token of the request/],
  ['an empty token', '', /without a continuation token/],
])('a page that is not the last one, with %s, is a failure', async (_, token, message) => {
  respond = (response) => {
    response.end(page(object(NAME), token));
  };
  await expect(names()).rejects.toMatchObject({
    status: 503,
    cause: { message: expect.stringMatching(message) as string },
  });
});

it.each(['&#x110000;', '&#1114112;', `&#x${'f'.repeat(400)};`])(
  'ignores a key with the invalid reference %s',
  async (reference) => {
    respond = (response) => {
      response.end(page(object(`${reference}${NAME}`) + object(NAME.replace('-', '&#45;'))));
    };
    expect(await names()).toEqual([NAME]);
  },
);

it('a page of more than 10,000 objects is a failure', async () => {
  respond = (response) => {
    response.end(page('<Contents>'.repeat(10_001)));
  };
  await expect(names()).rejects.toMatchObject({
    status: 503,
    cause: { message: 'S3 listed a page of more than 10000 objects' },
  });
});

it('a sweep stops between two pages', async () => {
  const stop = new AbortController();
  respond = (response) => {
    if (requests === 3) stop.abort(new Error('stopped'));
    response.end(page('', requests > MAX_PAGES ? undefined : `token ${requests}`));
  };
  const sweeper = new PictureSweeper(opened.database, storage);
  await expect(sweeper.sweep({ signal: stop.signal })).rejects.toThrow('stopped');
  expect(requests).toBe(3);
});
