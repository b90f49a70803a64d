import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { ENTITIES } from '../../../src/server/entities';
import { makeApp } from '../../../src/server/setup';
import { makeLogger } from '../../../src/config/logger';
import { loadSettings } from '../../../src/config/settings';
import { makeDataSource } from '../../../src/database/data-source';
import { probingPictures } from '../api/probe.uploads';

/** Serves the endpoints that take pictures, in a process whose memory can be looked at. */
async function serve(): Promise<void> {
  const settings = loadSettings();
  const source = makeDataSource(settings, settings.DATABASE_URL ?? '', ENTITIES);
  await source.initialize();
  const root = probingPictures(settings, source);
  const app = await makeApp(settings, source, makeLogger(settings), { root });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.stdout.write(`port ${port}\n`);
}

void serve();
