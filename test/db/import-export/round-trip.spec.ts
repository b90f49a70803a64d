import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { KINDS, RECORDS } from './records';
import { transfersOfTest } from './open-transfer';
import { summary, toLines } from './transfer';

const open = transfersOfTest();

describe.each(KINDS)('%s', (kind) => {
  const records = RECORDS[kind];

  it('is exported as it was imported, and a second import changes nothing', async () => {
    const first = await open();
    expect(await first.take(kind, records)).toEqual(summary({ imported: records.length }));
    const text = await first.export(kind);
    expect(text).toBe(toLines(records));

    const second = await open();
    expect(await second.import(kind, text)).toEqual({
      summary: summary({ imported: records.length }),
      faults: [],
    });
    expect(await second.export(kind)).toBe(text);
    expect(await second.sizes()).toEqual(await first.sizes());

    expect(await second.import(kind, gzipSync(text))).toEqual({
      summary: summary({ skipped: records.length }),
      faults: [],
    });
    expect(await second.export(kind)).toBe(text);
    expect(await second.sizes()).toEqual(await first.sizes());
  });
});

it('all types have the same result in any order of import', async () => {
  const onward = await open();
  const backward = await open();
  for (const kind of KINDS) await onward.take(kind, RECORDS[kind]);
  for (const kind of [...KINDS].reverse()) {
    const { length } = RECORDS[kind];
    expect(await backward.take(kind, RECORDS[kind])).toEqual(summary({ imported: length }));
  }
  for (const kind of KINDS) {
    expect(await onward.export(kind)).toBe(toLines(RECORDS[kind]));
    expect(await backward.export(kind)).toBe(toLines(RECORDS[kind]));
  }
  const counted = `SELECT id, rating_count, rating_sum FROM books ORDER BY id`;
  expect(await backward.query(counted)).toEqual(await onward.query(counted));
  expect(await backward.sizes()).toEqual(await onward.sizes());
});

it('export and import transfer the sample catalogue', async () => {
  const first = await open();
  const second = await open();
  for (const kind of KINDS) {
    const file = readFileSync(join(__dirname, `../../../src/sample/data/${kind}s.ndjson`));
    const { faults } = await first.import(kind, file);
    expect(faults).toEqual([]);
    const text = await first.export(kind);
    expect(text.split('\n')).toHaveLength(file.toString().split('\n').length);
    await second.import(kind, text);
    expect(await second.export(kind)).toBe(text);
  }
});

it('export reads large tables in batches, in order of id', async () => {
  const transfer = await open();
  const users = Array.from({ length: 3456 }, (_, at) => ({
    id: String(4000 - at),
    uid: `u${at}`,
    name: 'n',
    signature: '',
    avatar: '',
  }));
  const reports: number[] = [];
  await transfer.import('user', users, { onProgress: ({ imported }) => reports.push(imported) });
  // Parts of the second batch may be stored before the whole first one.
  expect(reports).toEqual([expect.any(Number), 3456]);
  expect(reports[0]).toBeGreaterThanOrEqual(2700);
  expect(await transfer.export('user')).toBe(toLines([...users].reverse()));
});
