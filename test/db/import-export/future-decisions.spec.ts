import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { FullHandlers } from '../../../src/import-export/full/full-handlers';
import { reviewEdit } from '../../../src/moderation/moderation-queue.repository';
import { FullTransfer } from './full';
import { note } from './notes-records';
import { type Imported, type Wire } from './transfer';

const NOTE = 31;
const AUTHOR = 3;
const ENTRY = {
  ...{ id: '1', kind: 'note', target_id: NOTE, user_id: AUTHOR, words: [], excerpt: 'x' },
  ...{ created_at: '2025-01-01T00:00:00+00:00', decision: 'released', decided_by: 'mo' },
};
const REPORT = { ...ENTRY, reason: 'x', comment: '', decision: 'dismissed' };

let full: FullTransfer;
beforeEach(async () => {
  full = await FullTransfer.open();
  await full.transfer.take('user', [{ id: String(AUTHOR), uid: 'ann', name: 'Ann' }]);
  await full.transfer.take('note', [note(NOTE, { author_id: String(AUTHOR) })]);
});
afterEach(() => full.close());

const importEntry = (name: string, record: Wire): Promise<Imported> =>
  full.transfer.import(new FullHandlers(new RecordHandlers(), full.storage).named(name), [record]);

/** A time, relative to the clock of the database. */
async function timeAfter(interval: string): Promise<string> {
  const [row] = await full.query<{ time: string }>(
    `SELECT to_json(now() + $1::interval) #>> '{}' AS time`,
    [interval],
  );
  return String(row?.time);
}

it.each([
  ['moderation-entry', ENTRY],
  ['report', REPORT],
])('a %s with a decision in the future is rejected', async (name, entry) => {
  for (const decided_at of [await timeAfter('6 minutes'), '9999-12-31T23:59:59+00:00']) {
    const { faults } = await importEntry(name, { ...entry, decided_at });
    expect(faults).toMatchObject([{ line: 1, reason: 'decided_at must not be in the future' }]);
  }
  expect((await importEntry(name, { ...entry, decided_at: '2025-01-02' })).faults).toEqual([]);
});

it.each([
  ['moderation-entry', 'moderation_queue', ENTRY],
  ['report', 'reports', REPORT],
])('a stored %s with a decision in the future is unchanged', async (name, table, entry) => {
  await importEntry(name, { ...entry, decided_at: '2025-01-02' });
  await full.query(`UPDATE ${table} SET decided_at = '9999-12-31'`);
  const { summary } = await importEntry(name, {
    ...entry,
    decided_at: '9999-12-31T00:00:00+00:00',
  });
  expect(summary).toMatchObject({ skipped: 1, failed: 0 });
});

it('a decision of a service whose clock is ahead does not overrule a later one here', async () => {
  const decided_at = await timeAfter('4 minutes');
  expect((await importEntry('moderation-entry', { ...ENTRY, decided_at })).faults).toEqual([]);
  expect(
    await full.query('SELECT decided_at <= now() AS "isPast", decision FROM moderation_queue'),
  ).toEqual([{ isPast: true, decision: 'released' }]);
  await full.query(
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
     VALUES ('note', $1, $2, '{}', '', 'rejected', date_trunc('second', now()))`,
    [NOTE, AUTHOR],
  );
  const edited = { id: NOTE, userId: AUTHOR, moderationFlag: undefined, text: 'x' };
  const isHidden = await reviewEdit(full.opened.database, { kind: 'note', ...edited }, true);
  expect(isHidden).toBe(true);
});
