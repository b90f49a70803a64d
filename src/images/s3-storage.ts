import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { unavailable } from '../api/errors/error-codes';
import { type Settings } from '../config/settings';
import { CONTENT_TYPES, parseName } from './picture-names';
import {
  PictureStorage,
  type ByteRange,
  type ListedFile,
  type StoredFile,
  WrongFileSize,
} from './picture-storage';
import { contentOf } from './s3-content';
import { parseListing, type Listing } from './s3-listing';
import { isTemporaryStatus, S3Unavailable, toS3Unavailable } from './s3-unavailable';

/**
 * Milliseconds until a response must arrive, over all attempts; of a streamed one its headers, and
 * then each next part.
 */
const RESPONSE_MS = 15_000;
/** Attempts of a request, and milliseconds before the next one for each failed one. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 100;

/** Bytes that are read of a response without content, and logged characters of an error. */
const MAX_DISCARDED = 16_384;
const MAX_SHOWN = 500;
/** Bytes of a page of a listing: 1000 objects with keys of 1 KB, several times escaped. */
const MAX_LISTING = 8 * 1024 * 1024;

/** Code of the response if the bucket does not exist. A response to HEAD has no body. */
const NO_SUCH_BUCKET = '<Code>NoSuchBucket</Code>';

/** Why a wait for S3 ended early. */
const STOPPING = 'the server stops before S3 has responded';

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Whether the caller streams the response, which may take longer than its headers. */
  readonly streams?: boolean;
  /** Called before each further attempt. */
  readonly onRetry?: () => void;
}

/** Stores pictures in a bucket of an S3-compatible service. */
export class S3Storage extends PictureStorage {
  private readonly client: AwsClient;
  /** Address of the bucket. Other services often do not support bucket host names. */
  private readonly bucketUrl: string;
  /** Requests that have not got a complete response, except for streams. */
  private readonly waiting = new Set<AbortController>();
  private isStopping = false;

  constructor(
    settings: Settings,
    private readonly responseMs = RESPONSE_MS,
  ) {
    super();
    const { PICTURES_S3_REGION: region, PICTURES_S3_BUCKET: bucket = '' } = settings;
    const endpoint = settings.PICTURES_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
    this.bucketUrl = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
    this.client = new AwsClient({
      service: 's3',
      region,
      accessKeyId: settings.PICTURES_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.PICTURES_S3_SECRET_ACCESS_KEY ?? '',
    });
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const { extension } = parseName(name) ?? { extension: 'jpg' };
    const headers = { 'content-type': CONTENT_TYPES[extension] };
    await discard(await this.send({ method: 'PUT', key: name, headers, body: bytes }));
  }

  async get(name: string, range?: ByteRange, size?: number): Promise<StoredFile | undefined> {
    const part = range && { range: rangeHeader(range) };
    const read = (headers?: Record<string, string>): Promise<Response> =>
      this.send({ method: 'GET', key: name, headers, streams: true }, [404, 416]);
    let response = await read(part);
    if (part && response.status === 416) {
      await discard(response);
      response = await read();
    }
    if (response.status === 404) {
      const { text } = await beginningOf(response, MAX_DISCARDED).catch(failed);
      if (!text.includes(NO_SUCH_BUCKET)) return undefined;
      return failed(new Error(`S3 has no bucket at ${this.bucketUrl}`));
    }
    try {
      const content = contentOf(response, range, size);
      return { stream: streamOf(response, this.responseMs), ...content };
    } catch (error) {
      await response.body?.cancel();
      if (error instanceof WrongFileSize) throw error;
      return failed(error);
    }
  }

  async findSize(name: string, stored?: number): Promise<number | undefined> {
    const response = await this.send({ method: 'HEAD', key: name }, [404]);
    await discard(response);
    if (response.status === 404) return undefined;
    try {
      return contentOf(response, undefined, stored).size;
    } catch (error) {
      if (error instanceof WrongFileSize) throw error;
      return failed(error);
    }
  }

  async delete(name: string): Promise<boolean> {
    let isFirst = true;
    const onRetry = (): void => {
      isFirst = false;
    };
    await discard(await this.send({ method: 'DELETE', key: name, onRetry }, [404]));
    return isFirst;
  }

  async *list(signal?: AbortSignal): AsyncIterable<ListedFile> {
    let next: string | undefined;
    do {
      signal?.throwIfAborted();
      const page = await this.listPage(next);
      for (const { key, modified } of page.objects) {
        // Other objects in the bucket are ignored.
        if (parseName(key)) yield { name: key, modified };
      }
      next = page.next;
    } while (next !== undefined);
  }

  override rejectPending(): void {
    this.isStopping = true;
    for (const request of this.waiting) request.abort(new S3Unavailable(STOPPING));
  }

  private async listPage(after: string | undefined): Promise<Listing> {
    const token = after === undefined ? undefined : { 'continuation-token': after };
    const response = await this.send({ method: 'GET', query: { 'list-type': '2', ...token } });
    try {
      const { text, isComplete } = await beginningOf(response, MAX_LISTING);
      if (!isComplete) throw new Error(`S3 listed a page of more than ${MAX_LISTING} bytes`);
      const page = parseListing(text);
      // The listing would never end.
      if (page.next !== undefined && page.next === after) {
        throw new Error('S3 responded to a listing with the continuation token of the request');
      }
      return page;
    } catch (error) {
      return failed(error);
    }
  }

  /**
   * Sends a request. Fast failures are tried again, because all requests are idempotent.
   * @param accepted statuses other than 2xx that the caller handles
   * @throws ApiError 503 with the reason as its cause: S3Unavailable if the reason is temporary
   */
  private async send(request: S3Request, accepted: readonly number[] = []): Promise<Response> {
    const timeout = new AbortController();
    this.waiting.add(timeout);
    const timer = setTimeout(() => {
      this.waiting.delete(timeout);
      timeout.abort(new S3Unavailable(`no response from S3 within ${this.responseMs} ms`));
    }, this.responseMs).unref();
    try {
      if (this.isStopping) throw new S3Unavailable(STOPPING);
      for (let attempt = 1; ; attempt += 1) {
        const last = attempt === MAX_ATTEMPTS || timeout.signal.aborted;
        const response = await this.attempt(request, timeout.signal).catch((error: unknown) => {
          if (last || timeout.signal.aborted) throw error;
        });
        if (response?.ok || accepted.includes(response?.status ?? 0)) {
          // Otherwise it also ends a response that takes long to stream.
          if (request.streams && response?.ok) {
            clearTimeout(timer);
            this.waiting.delete(timeout);
          }
          return response as Response;
        }
        if (response && (last || response.status < 500)) {
          const { text } = await beginningOf(response, MAX_DISCARDED);
          const message = `S3 responded ${response.status} to ${request.method}: `;
          const Failure = isTemporaryStatus(response.status) ? S3Unavailable : Error;
          throw new Failure(message + text.slice(0, MAX_SHOWN));
        }
        if (response) await beginningOf(response, MAX_DISCARDED);
        request.onRetry?.();
        await delay(attempt * RETRY_MS);
      }
    } catch (error) {
      return failed(error);
    }
  }

  private async attempt(request: S3Request, signal: AbortSignal): Promise<Response> {
    const { method, key, query = {}, headers, body } = request;
    const search = new URLSearchParams(query).toString();
    const url = this.bucketUrl + (key === undefined ? '' : `/${key}`) + (search && `?${search}`);
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await this.client.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      body,
    });
    // Not signed, because some proxies change it. Pictures are stored as they are.
    signed.headers.set('accept-encoding', 'identity');
    return fetch(signed, { signal, redirect: 'manual' }).catch((error: unknown) => {
      throw toS3Unavailable(error);
    });
  }
}

const rangeHeader = (range: ByteRange): string =>
  'last' in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end ?? ''}`;

/**
 * The body of a response, which is read as fast as its reader is. The stream fails when the next
 * part does not arrive in time. Its end, also before the first part is read, closes the connection.
 * Errors of the stream are S3Unavailable.
 */
function streamOf({ body }: Response, maxMs: number): Readable {
  if (!body) return Readable.from([]);
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const stream = new Readable({
    read() {
      const timer = setTimeout(() => {
        stream.destroy(new S3Unavailable(`S3 sent nothing for ${maxMs} ms`));
      }, maxMs).unref();
      reader
        .read()
        .finally(() => {
          clearTimeout(timer);
        })
        .then(
          ({ value }) => stream.push(value ?? null),
          (error: unknown) => stream.destroy(toS3Unavailable(error)),
        );
    },
    destroy(error, done) {
      const end = (): void => {
        done(error);
      };
      reader.cancel().then(end, end);
    },
  });
  return stream;
}

/** Reads a response without content, so that its connection can be used again. */
async function discard(response: Response): Promise<void> {
  await beginningOf(response, MAX_DISCARDED).catch(failed);
}

/**
 * The beginning of a response, and whether it is all. A longer rest closes the connection.
 * @throws S3Unavailable when the body breaks off
 */
async function beginningOf(
  { body }: Response,
  maxBytes: number,
): Promise<{ text: string; isComplete: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const parts = (body ?? []) as AsyncIterable<Uint8Array> | [];
  try {
    for await (const chunk of parts) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    throw toS3Unavailable(error);
  }
  return { text: Buffer.concat(chunks).toString(), isComplete: bytes <= maxBytes };
}

/** Reports all failures as retryable. */
function failed(error: unknown): never {
  throw unavailable(error);
}
