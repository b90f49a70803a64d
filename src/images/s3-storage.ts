import { type Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import { type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { unavailable } from '../api/errors/errors';
import { type Settings } from '../config/settings';
import { CONTENT_TYPES, parseName } from './picture-names';
import {
  PictureStorage,
  type ByteRange,
  type ListedFile,
  type StoredFile,
} from './picture-storage';

type Sdk = typeof S3;

/** Timeouts in milliseconds for connecting and for the response. */
const CONNECT_MS = 3000;
const ANSWER_MS = 15_000;

/** The HTTP status of the S3 response, if there is one. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Stores pictures in a bucket of an S3-compatible service. */
export class S3Storage extends PictureStorage {
  private opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  private readonly bucket: string;

  constructor(private readonly settings: Settings) {
    super();
    this.bucket = settings.PICTURES_S3_BUCKET ?? '';
  }

  /** Loaded on first use, because the library needs much memory. */
  private open(): Promise<{ sdk: Sdk; client: S3Client }> {
    this.opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client(this.config()),
    }));
    return this.opened;
  }

  private config(): S3ClientConfig {
    const { settings } = this;
    return {
      region: settings.PICTURES_S3_REGION,
      endpoint: settings.PICTURES_S3_ENDPOINT,
      credentials:
        settings.PICTURES_S3_ACCESS_KEY_ID === undefined
          ? undefined
          : {
              accessKeyId: settings.PICTURES_S3_ACCESS_KEY_ID,
              secretAccessKey: settings.PICTURES_S3_SECRET_ACCESS_KEY ?? '',
            },
      // Other services often support neither bucket host names nor new checksums.
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
    };
  }

  /** Runs an operation; all failures are reported as retryable. */
  private async use<T>(work: (sdk: Sdk, client: S3Client) => Promise<T>): Promise<T> {
    const { sdk, client } = await this.open();
    try {
      return await work(sdk, client);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const { extension } = parseName(name) ?? { extension: 'jpg' };
    await this.use((sdk, client) =>
      client.send(
        new sdk.PutObjectCommand({
          Bucket: this.bucket,
          Key: name,
          Body: bytes,
          ContentLength: bytes.length,
          ContentType: CONTENT_TYPES[extension],
        }),
      ),
    );
  }

  async get(name: string, range?: ByteRange): Promise<StoredFile | undefined> {
    return this.use(async (sdk, client) => {
      const wanted = range && `bytes=${range.start}-${range.end ?? ''}`;
      const read = (part: string | undefined) =>
        client.send(new sdk.GetObjectCommand({ Bucket: this.bucket, Key: name, Range: part }));
      try {
        const found = await read(wanted).catch((error: unknown) => {
          if (wanted !== undefined && statusOf(error) === 416) return read(undefined);
          throw error;
        });
        return {
          stream: found.Body as Readable,
          length: found.ContentLength ?? 0,
          range: wanted === undefined ? undefined : found.ContentRange,
        };
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    });
  }

  async remove(name: string): Promise<void> {
    await this.use((sdk, client) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket: this.bucket, Key: name })),
    );
  }

  async *list(): AsyncIterable<ListedFile> {
    let from: string | undefined;
    do {
      const page = await this.use((sdk, client) =>
        client.send(new sdk.ListObjectsV2Command({ Bucket: this.bucket, ContinuationToken: from })),
      );
      for (const { Key: name = '', LastModified: modified } of page.Contents ?? []) {
        // Other objects in the bucket are ignored.
        if (parseName(name) && modified) yield { name, modified };
      }
      from = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (from !== undefined);
  }
}
