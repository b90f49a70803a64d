import { EVENTS, LOCS, PARTICIPATIONS } from './events-records';
import { contentTables, rowsOf } from './content-tables';
import { filesOf, FullTransfer } from './full';
import { WHOLE } from './movies-records';
import { NOTE_KINDS, NOTE_RECORDS } from './notes-records';
import { KINDS, RECORDS } from './records';

let first: FullTransfer;
let second: FullTransfer;
afterEach(async () => {
  await first.close();
  await second.close();
});

/** Columns that are not part of full exports. */
const OF_SERVICE = ['last_referenced_at', 'chart_snapshots.created_at'];

/** Sets all times of all records. */
async function setTimes(time: string): Promise<void> {
  const columns = await first.query<{ table: string; name: string }>(
    `SELECT table_name AS table, column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' ORDER BY 1, 2`,
  );
  const tables = await contentTables(first);
  for (const table of tables) {
    const own = columns
      .filter((one) => one.table === table && one.name !== 'deleted_at')
      .map(({ name }) => name)
      .filter((name) => !OF_SERVICE.includes(name) && !OF_SERVICE.includes(`${table}.${name}`));
    if (own.length === 0) continue;
    await first.query(`UPDATE ${table} SET ${own.map((name) => `${name} = $1`).join(', ')}`, [
      time,
    ]);
  }
}

/** The rows of all tables with content. */
async function contentOf(full: FullTransfer): Promise<Map<string, string[]>> {
  const content = new Map<string, string[]>();
  for (const table of await contentTables(full)) content.set(table, await rowsOf(full, table));
  return content;
}

// The ends of the years 1 to 9999, which imports accept, by time zone: in UTC the year is another
// one.
it.each([
  ['Asia/Shanghai', 'America/New_York', '0001-01-01 00:00:00'],
  ['America/New_York', 'Asia/Shanghai', '9999-12-31 23:59:59'],
])(
  'a full export of times at the end of the range in %s is lossless',
  async (zone, other, time) => {
    first = await FullTransfer.open({ TIME_ZONE: zone });
    second = await FullTransfer.open({ TIME_ZONE: other });
    for (const kind of KINDS) await first.transfer.take(kind, RECORDS[kind]);
    await first.transfer.take('movie', [WHOLE]);
    for (const kind of NOTE_KINDS) await first.transfer.take(kind, NOTE_RECORDS[kind]);
    await first.transfer.take('loc', LOCS);
    await first.transfer.take('event', EVENTS);
    await first.transfer.take('participation', PARTICIPATIONS);
    await setTimes(time);

    const folder = await first.export('first');
    await second.import(folder);
    expect(await contentOf(second)).toEqual(await contentOf(first));
    expect(await filesOf(await second.export('second'))).toEqual(await filesOf(folder));
    for (const { total, skipped } of await second.import(folder)) expect(skipped).toBe(total);
    // Other time zones have these times in other years. Their exports import unchanged, too.
    for (const kind of [
      ...KINDS,
      ...NOTE_KINDS,
      'movie',
      'movie-review',
      'event',
      'participation',
    ]) {
      const records = await second.transfer.records(kind);
      const { skipped } = await second.transfer.take(kind, records);
      expect([kind, skipped]).toEqual([kind, records.length]);
    }
  },
);
