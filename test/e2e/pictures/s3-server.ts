import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { KEY, SECRET, isSigned } from './s3-signature';

/**
 * How S3 fails: with status 503, by closing connections, without a response, or in the middle of
 * objects.
 */
export type Outage = 'error' | 'reset' | 'silence' | 'broken object';

export interface S3Server {
  /** Settings of a service that keeps its pictures there. */
  readonly settings: Record<string, string>;
  /** Methods of the requests for objects. */
  readonly methods: readonly string[];
  /** Awaited before an object is sent. */
  beforeGet: (key: string) => Promise<void>;
  /** Awaited before an object is stored. */
  beforePut: (key: string) => Promise<void>;
  /** How it fails at present; undefined if it does not. */
  outage: Outage | undefined;
  close(): Promise<void>;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly type: string;
  readonly modified: Date;
}

const BUCKET = '/pictures';
/** Objects in a page of a listing; Amazon has 1000. */
const PAGE_SIZE = 10;

/** The part of S3 that the service uses, with one bucket in memory. */
class Bucket {
  readonly methods: string[] = [];
  beforeGet: (key: string) => Promise<void> = () => Promise.resolve();
  beforePut: (key: string) => Promise<void> = () => Promise.resolve();
  outage: Outage | undefined;
  private readonly objects = new Map<string, StoredObject>();

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (this.outage === 'silence') return;
    if (this.outage === 'reset') return void response.destroy();
    if (this.outage === 'error') return fail(response, 503, 'SlowDown');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    if (!isSigned(request, body)) return fail(response, 403, 'SignatureDoesNotMatch');
    if (pathname === BUCKET && request.method === 'GET') return this.list(response, searchParams);
    if (!pathname.startsWith(`${BUCKET}/`)) return fail(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(pathname.slice(BUCKET.length + 1));
    this.methods.push(request.method ?? '');
    if (request.method === 'PUT') {
      await this.beforePut(key);
      const type = request.headers['content-type'] ?? 'binary/octet-stream';
      this.objects.set(key, { bytes: body, type, modified: new Date() });
      response.end();
    } else if (request.method === 'DELETE') {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else {
      await this.beforeGet(key);
      this.get(response, key, request.headers.range);
    }
  }

  private get(response: ServerResponse, key: string, range: string | undefined): void {
    const object = this.objects.get(key);
    if (!object) return fail(response, 404, 'NoSuchKey');
    const { bytes, type } = object;
    response.setHeader('Content-Type', type);
    const absolute = (range ?? '').replace(
      /^bytes=-(\d+)$/,
      (_, count) => `bytes=${Math.max(bytes.length - Number(count), 0)}-`,
    );
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(absolute) ?? [];
    if (first === undefined) {
      response.setHeader('Content-Length', bytes.length);
      if (this.outage === 'broken object')
        response.write(bytes.subarray(0, 1), () => response.destroy());
      else response.end(bytes);
      return;
    }
    const start = Number(first);
    if (start >= bytes.length) return fail(response, 416, 'InvalidRange');
    const end = Math.min(last ? Number(last) : Infinity, bytes.length - 1);
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${end}/${bytes.length}`);
    response.end(bytes.subarray(start, end + 1));
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    // A token with characters that XML escapes.
    const after = query.get('continuation-token')?.replace(/^<after>&/, '') ?? '';
    const later = [...this.objects]
      .filter(([key]) => key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const page = later.slice(0, PAGE_SIZE);
    const truncated = later.length > page.length;
    const next = `&lt;after&gt;&amp;${page.at(-1)?.[0] ?? ''}`;
    response
      .setHeader('Content-Type', 'application/xml')
      .end(
        [
          '<?xml version="1.0" encoding="UTF-8"?>',
          '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
          `<Name>pictures</Name><IsTruncated>${String(truncated)}</IsTruncated>`,
          ...page.map(
            ([key, { modified, bytes }]) =>
              `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified>` +
              `<ETag>&quot;x&quot;</ETag><Size>${bytes.length}</Size></Contents>`,
          ),
          truncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : '',
          '</ListBucketResult>',
        ].join('\n'),
      );
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code></Error>`);
}

/** An S3 server of the test's own, with one bucket. It verifies signatures. */
export async function startS3(): Promise<S3Server> {
  const bucket = new Bucket();
  const server = createServer((request, response) => {
    bucket.respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(bucket, {
    settings: {
      PICTURES_S3_BUCKET: 'pictures',
      PICTURES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      PICTURES_S3_ACCESS_KEY_ID: KEY,
      PICTURES_S3_SECRET_ACCESS_KEY: SECRET,
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  });
}
