import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aWriter, type Administrator } from './administrators';

const TIMEOUT_MS = 1000;

let harness: Harness;
let administrator: Administrator;
let make: Factories;

beforeAll(async () => {
  harness = await startHarness({
    settings: { DATABASE_STATEMENT_TIMEOUT_MS: String(TIMEOUT_MS) },
  });
  administrator = await anAdministrator(harness);
  make = new Factories(harness.database);
  // As if the changed rows were many.
  await harness.source.query(
    `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_sleep(${(1.5 * TIMEOUT_MS) / 1000}); RETURN NULL; END $$`,
  );
});
afterAll(() => harness.close());

/** Lets each UPDATE of a table take longer than the statement timeout. */
const slowDown = (table: string): Promise<unknown> =>
  harness.source.query(
    `CREATE TRIGGER slow AFTER UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION be_slow()`,
  );

it('a merge of books may take longer than DATABASE_STATEMENT_TIMEOUT_MS', async () => {
  const [from, to] = (await make.books(2)) as [number, number];
  const writer = await aWriter(harness);
  const collected = await writer.post(`/v2/book/${from}/collection`, { status: 'wish' });
  expect(collected.status).toBe(201);
  await slowDown('collections');
  // The timeout still applies to requests of users.
  const change = await harness.call(`/v2/book/${from}/collection`, {
    method: 'PUT',
    token: writer.token,
    body: new URLSearchParams({ status: 'read' }),
  });
  expect(change.status).toBe(503);
  const preview = await administrator.get(`/books/${from}/merge?into=${to}`);
  expect(preview.body.moved).toMatchObject({ collections: 1 });
  const merged = await administrator.post(`/books/${from}/merge`, { into: to });
  expect([merged.status, merged.body]).toMatchObject([200, { id: String(to) }]);
  const rows: unknown = await harness.source.query('SELECT book_id::int, status FROM collections');
  expect(rows).toEqual([{ book_id: to, status: 'wish' }]);
});

it('a change or deletion of an event may take longer than DATABASE_STATEMENT_TIMEOUT_MS', async () => {
  const { id } = await make.anEvent();
  await slowDown('events');
  const changed = await administrator.put(`/events/${id}`, { title: 'Larger' });
  expect([changed.status, changed.body]).toMatchObject([202, { title: 'Larger' }]);
  expect((await administrator.remove(`/events/${id}`)).status).toBe(204);
});
