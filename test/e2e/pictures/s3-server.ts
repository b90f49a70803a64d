import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface S3Server {
  /** Settings of a service that keeps its pictures there. */
  readonly settings: Record<string, string>;
  close(): Promise<void>;
}

/** An S3 server of the test's own, with one bucket. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'commonplace-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It forgets the slash behind a bucket's name when it checks a signature of a listing.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: 'pictures' }],
  });
  const { port } = await server.run();
  return {
    settings: {
      PICTURES_S3_BUCKET: 'pictures',
      PICTURES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      PICTURES_S3_ACCESS_KEY_ID: 'S3RVER',
      PICTURES_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
