import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transferOfFile } from './import-export/open-transfer';
import { summary } from './import-export/transfer';

const FILE = readFileSync(join(__dirname, '../../src/sample/data/locs.ndjson'), 'utf8');

const transfer = transferOfFile();

it('the cities of the sample are exported as they were imported, with time zones that PostgreSQL knows', async () => {
  const cities = FILE.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(await transfer.import('loc', FILE)).toEqual({
    summary: summary({ imported: cities.length }),
    faults: [],
  });
  const exported = (await transfer.export('loc')).trimEnd().split('\n');
  expect(exported.map((line) => JSON.parse(line) as unknown)).toEqual(cities);
  const strange = `SELECT uid FROM cities
    WHERE time_zone NOT IN (SELECT name FROM pg_timezone_names) ORDER BY uid`;
  expect(await transfer.query(strange)).toEqual([]);
});
