import { startHarness, type Harness } from '../../harness';
import { anAdministrator, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  await admin.post('/subjects', { id: 1, title: 'Film' });
  await admin.post('/locs', { id: 108288, uid: 'beijing', name: 'Beijing' });
});
afterAll(() => harness.close());

/**
 * Deletes each row of a table when the transaction that writes it commits: nothing can read the row
 * after the commit, as if another administrator had deleted it immediately.
 */
const deleteAtCommit = (table: string): Promise<unknown> =>
  harness.source.query(
    `CREATE FUNCTION delete_${table}() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN DELETE FROM ${table} WHERE id = NEW.id; RETURN NULL; END';
     CREATE CONSTRAINT TRIGGER delete_at_commit AFTER INSERT OR UPDATE ON ${table}
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION delete_${table}()`,
  );

const SHOWING = { subject_id: 1, city: 'beijing', from: '2024-01-01', until: '2024-02-01' };
const JOB = { type: 'export', kind: 'user', path: 'users.ndjson' };
const ENTRIES = [{ rank: 1, subject_id: '1' }];

it.each([
  ['showings', 'post', '/showings', 201, SHOWING, { title: 'Film', until: '2024-02-01' }],
  [
    ...(['chart_snapshots', 'put', '/charts/top250', 202] as const),
    { date: '2024-01-01', entries: ENTRIES },
    { name: 'top250', entries: ENTRIES },
  ],
  ['series', 'post', '/series', 201, { title: 'Series' }, { title: 'Series', books: 0 }],
  ['transfer_jobs', 'post', '/jobs', 201, JOB, { ...JOB, state: 'waiting' }],
  ['celebrities', 'post', '/celebrities', 201, { name: 'Person' }, { name: 'Person' }],
] as const)(
  'the response has what was written, also when it is deleted right after the commit (%s)',
  async (table, method, path, status, body, written) => {
    await deleteAtCommit(table);
    const response = await admin[method](path, body);
    expect([response.status, response.body]).toEqual([status, expect.objectContaining(written)]);
    expect(await harness.source.query(`SELECT 1 FROM ${table}`)).toEqual([]);
  },
);
