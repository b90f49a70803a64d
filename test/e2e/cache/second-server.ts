import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { makeApp } from '../../../src/server/setup';
import { makeLogger } from '../../../src/config/logger';
import { makeDataSource } from '../../../src/database/data-source';
import { ENTITIES } from '../../../src/server/entities';
import { callAt, type TestDatabase } from '../../harness';
import { type Call } from '../../http';
import { testSettings } from '../../settings';

/** Another server on the same database, with its own connections and its own memory. */
export interface SecondServer {
  readonly app: NestExpressApplication;
  readonly origin: string;
  readonly call: Call;
  close(): Promise<void>;
}

export async function startSecond(
  { url }: TestDatabase,
  more: Record<string, string> = {},
): Promise<SecondServer> {
  const settings = testSettings(more);
  const source = makeDataSource(settings, url, ENTITIES);
  await source.initialize();
  const app = await makeApp(settings, source, makeLogger(settings));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    app,
    origin,
    call: callAt(origin),
    close: async () => {
      await app.close();
      await source.destroy();
    },
  };
}
