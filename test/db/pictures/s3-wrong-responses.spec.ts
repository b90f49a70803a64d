import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { WrongFileSize } from '../../../src/images/picture-storage';
import { type S3Storage } from '../../../src/images/s3-storage';
import { S3Unavailable } from '../../../src/images/s3-unavailable';
import { openBucket } from './s3-bucket';

const NAME = `${'aa'.repeat(32)}-l.jpg`;
const MEGABYTE = 1024 * 1024;

let respond: (response: ServerResponse) => void;
let encoding: unknown;
let bucket: Awaited<ReturnType<typeof openBucket>>;
let storage: S3Storage;
beforeAll(async () => {
  bucket = await openBucket((request, response) => {
    encoding = request.headers['accept-encoding'];
    respond(response);
  });
  ({ storage } = bucket);
});
afterAll(() => {
  bucket.close();
});

it('a bucket that does not exist is an error, and not a missing picture', async () => {
  respond = (response) => {
    response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
  };
  await expect(storage.get(NAME)).rejects.toMatchObject({ status: 503 });
  respond = (response) => {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  };
  expect(await storage.get(NAME)).toBeUndefined();
});

it.each([
  [500, '', true],
  [503, '<Code>SlowDown</Code>', true],
  [429, '<Code>TooManyRequests</Code>', true],
  [403, '<Code>InvalidAccessKeyId</Code>', false],
  [404, '<Code>NoSuchBucket</Code>', false],
  [301, '<Code>PermanentRedirect</Code>', false],
])('a response %i %s is temporary: %p', async (status, code, isTemporary) => {
  respond = (response) => {
    response.writeHead(status).end(code);
  };
  const error = await storage.get(NAME).catch(({ cause }: Error) => cause);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof S3Unavailable).toBe(isTemporary);
});

it('a deletion whose first attempt failed is uncertain', async () => {
  let requests = 0;
  respond = (response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 503 : 204).end();
  };
  expect(await storage.delete(NAME)).toBe(false);
  expect(await storage.delete(NAME)).toBe(true);
  expect(requests).toBe(3);
});

describe('a bucket that stops sending', () => {
  let impatient: Awaited<ReturnType<typeof openBucket>>;
  let closed: Promise<unknown>;
  beforeAll(async () => {
    impatient = await openBucket((_, response) => {
      closed = once(response, 'close');
      respond(response);
    }, 200);
  });
  afterAll(() => {
    impatient.close();
  });

  it.each([404, 416, 500])('in a response %i loses the connection', async (status) => {
    respond = (response) => {
      response.writeHead(status).write('<');
    };
    await expect(impatient.storage.get(NAME, { start: 0, end: 1 })).rejects.toMatchObject({
      status: 503,
    });
    await closed;
  });

  it('gets no more requests, and those that wait fail with 503, when the process ends', async () => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const silent = await openBucket(() => {
      arrived();
    }, 3_600_000);
    const uploading = silent.storage.put(NAME, Buffer.from('picture'));
    const failed = expect(uploading).rejects.toMatchObject({
      status: 503,
      cause: { message: 'the server stops before S3 has responded' },
    });
    await arrival;
    silent.storage.rejectPending();
    await failed;
    await expect(silent.storage.get(NAME)).rejects.toMatchObject({ status: 503 });
    silent.close();
  });

  it('loses the connection of a stream that nobody reads', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-length': 3 }).write('ab');
    };
    const file = await impatient.storage.get(NAME);
    (file?.stream as Readable).destroy();
    await closed;
  });

  it('in a file fails its stream and loses the connection', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-length': 3 }).write('ab');
    };
    const file = await impatient.storage.get(NAME);
    const error: unknown = await buffer(file?.stream as Readable).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(S3Unavailable);
    expect(error).toMatchObject({ message: 'S3 sent nothing for 200 ms' });
    await closed;
  });
});

it.each([
  ['part of a file that was requested as a whole', 206, { 'content-range': 'bytes 0-1/9' }],
  ['another encoding', 200, { 'content-encoding': 'gzip' }],
  ['another success', 203, {}],
])('a response with %s is a failure', async (_, status, headers) => {
  respond = (response) => {
    response.writeHead(status, { ...headers, 'content-length': 2 }).end('ab');
  };
  await expect(storage.get(NAME)).rejects.toMatchObject({ status: 503 });
  expect(encoding).toBe('identity');
});

it('a part without its position is a failure', async () => {
  respond = (response) => {
    response.writeHead(206, { 'content-length': 2 }).end('ab');
  };
  await expect(storage.get(NAME, { start: 0, end: 1 })).rejects.toMatchObject({ status: 503 });
});

it.each([
  ['another part', 'bytes 1-2/9', 2],
  ['another length', 'bytes 0-1/9', 3],
  ['an end beyond the requested one', 'bytes 0-2/9', 3],
  ['an end beyond the file', 'bytes 0-1/1', 2],
  ['no size', 'bytes 0-1/*', 2],
  ['another unit', 'lines 0-1/9', 2],
  ['nonsense', 'abc', 2],
])('a part with %s is a failure', async (_, range, length) => {
  respond = (response) => {
    response
      .writeHead(206, { 'content-range': range, 'content-length': length })
      .end('abcd'.slice(0, length));
  };
  await expect(storage.get(NAME, { start: 0, end: 1 })).rejects.toMatchObject({ status: 503 });
});

it.each([
  [{ start: 7 }, 'bytes 7-8/9', 2],
  [{ start: 7, end: 20 }, 'bytes 7-8/9', 2],
  [{ last: 3 }, 'bytes 6-8/9', 3],
  [{ last: 20 }, 'bytes 0-8/9', 9],
])('the requested part %j is returned', async (range, position, length) => {
  respond = (response) => {
    response
      .writeHead(206, { 'content-range': position, 'content-length': length })
      .end('x'.repeat(length));
  };
  const file = await storage.get(NAME, range);
  file?.stream.destroy();
  expect(file).toMatchObject({ range: position, length, size: 9 });
});

it('an empty file has the wrong size, and a complete file has no range', async () => {
  respond = (response) => {
    response.writeHead(200, { 'content-length': 0 }).end();
  };
  await expect(storage.get(NAME)).rejects.toEqual(new WrongFileSize(0));
  respond = (response) => {
    response.writeHead(200, { 'content-range': 'bytes 0-1/9', 'content-length': 2 }).end('ab');
  };
  const file = await storage.get(NAME);
  file?.stream.destroy();
  expect([file?.size, file?.range]).toEqual([2, undefined]);
});

it('reads the beginning of an error only', async () => {
  let sent = 0;
  const closed = new Promise<void>((resolve) => {
    respond = (response) => {
      response.writeHead(403);
      const piece = Buffer.alloc(MEGABYTE, 'x');
      const send = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', send).on('close', resolve);
      send();
    };
  });
  await expect(storage.get(NAME)).rejects.toMatchObject({ status: 503 });
  await closed;
  expect(sent).toBeLessThan(64 * MEGABYTE);
});
