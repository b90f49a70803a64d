import { Test, type TestingModule } from '@nestjs/testing';
import { ENTITIES } from '../../src/server/entities';
import { AppModule } from '../../src/app.module';
import { RouteTable } from '../../src/api/routing/route-table';
import { makeDataSource } from '../../src/database/data-source';
import { testSettings } from '../settings';

/** The whole service, which neither listens nor connects to a database. */
export async function loadService(): Promise<TestingModule> {
  const settings = testSettings();
  const source = makeDataSource(settings, 'postgres://nobody@127.0.0.1:1/none', ENTITIES);
  const testing = await Test.createTestingModule({
    imports: [AppModule.with(settings, source)],
  }).compile();
  await testing.init();
  return testing;
}

/** The routes of the whole service, which is closed again. */
export async function walkService(): Promise<RouteTable> {
  const testing = await loadService();
  const table = testing.get(RouteTable, { strict: false });
  await testing.close();
  return table;
}
