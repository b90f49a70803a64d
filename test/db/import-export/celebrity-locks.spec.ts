import { type EntityManager } from 'typeorm';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { untilBlocked } from '../../until-blocked';
import { person, simpleSubject } from './movies-records';
import { Transfer, type Wire } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;
beforeEach(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
  await transfer.take(
    'movie',
    [1, 2].map((id) => simpleSubject(id, `film ${id}`)),
  );
  await transfer.take('celebrity', [celebrity({ works: [simpleSubject(1, 'film 1')] })]);
});
afterEach(() => opened.close());

const celebrity = (more: Wire): Wire => ({ ...person(5, 'Ann'), ...more });

const inTransaction = (work: (manager: EntityManager) => Promise<void>): Promise<void> =>
  opened.source.transaction(work);

const lockNow = (table: string, id: number): Promise<unknown> =>
  opened.source.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE NOWAIT`, [id]);

it('an import locks films that are no longer featured before their celebrity', async () => {
  let importing: Promise<unknown> | undefined;
  await inTransaction(async (manager) => {
    await manager.query('SELECT 1 FROM celebrities WHERE id = 5 FOR UPDATE');
    importing = transfer.take('celebrity', [celebrity({ works: [simpleSubject(2, 'film 2')] })]);
    await untilBlocked(opened.source);
    await expect(lockNow('subjects', 1)).rejects.toThrow('could not obtain lock');
  });
  expect(await importing).toMatchObject({ updated: 1 });
});

it('an import releases a celebrity that was renamed meanwhile until it has locked the films', async () => {
  let importing: Promise<unknown> | undefined;
  await inTransaction(async (film) => {
    await film.query('SELECT 1 FROM subjects WHERE id = 1 FOR UPDATE');
    await inTransaction(async (name) => {
      await name.query(`UPDATE celebrities SET name = 'Renamed' WHERE id = 5`);
      importing = transfer.take('celebrity', [celebrity({ born_place: 'Paris' })]);
      await untilBlocked(opened.source);
    });
    await untilBlocked(opened.source);
    await lockNow('celebrities', 5);
  });
  expect(await importing).toMatchObject({ updated: 1 });
  expect(
    await opened.source.query('SELECT name, born_place FROM celebrities WHERE id = 5'),
  ).toEqual([{ name: 'Ann', born_place: 'Paris' }]);
});
