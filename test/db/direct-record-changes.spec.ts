import { BOOKS } from '../../src/admin/records/record-types';
import { RecordsService } from '../../src/admin/records/records.service';
import { AuditService } from '../../src/audit/audit.service';
import { Database } from '../../src/database/database';
import { RecordHandlers } from '../../src/import-export/engine/handlers';
import { openTestDatabase, type TestDatabase } from '../harness';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

it('records are changed in direct sessions, of which silent ones are noticed', async () => {
  const pooled = opened.database;
  const direct = new Database(opened.source);
  const records = new RecordsService(
    pooled,
    direct,
    new RecordHandlers(),
    new AuditService(pooled),
  );
  const changes = jest.spyOn(pooled, 'transaction');
  const actor = { name: 'cli:test' };
  const { id } = await records.create(BOOKS, { title: 'Book' }, actor);
  const changed = await records.update(BOOKS, Number(id), { title: 'Other' }, actor);
  expect(changed).toMatchObject({ title: 'Other' });
  expect(changes).not.toHaveBeenCalled();
});
