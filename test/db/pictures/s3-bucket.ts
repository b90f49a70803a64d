import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { S3Storage } from '../../../src/images/s3-storage';
import { testSettings } from '../../settings';

/** A storage with a bucket whose responses a test decides. */
export async function openBucket(
  listener: RequestListener,
  responseMs?: number,
): Promise<{ storage: S3Storage; close(): void }> {
  const bucket: Server = createServer(listener);
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  const storage = new S3Storage(
    testSettings({
      PICTURES_S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
      PICTURES_S3_BUCKET: 'pictures',
      PICTURES_S3_ACCESS_KEY_ID: 'key',
      PICTURES_S3_SECRET_ACCESS_KEY: 'secret',
    }),
    responseMs,
  );
  return {
    storage,
    close: () => {
      bucket.close();
      bucket.closeAllConnections();
    },
  };
}
