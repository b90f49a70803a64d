import { Readable } from 'node:stream';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { type ImportError } from '../../../src/import-export/engine/import-options';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aUserOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
let owner: number;
beforeAll(async () => {
  harness = await startHarness({ settings: { TIME_ZONE: 'America/New_York' } });
  admin = await anAdministrator(harness);
  await admin.post('/locs', { id: 4711, name: 'Night City' });
  owner = (await aUserOf(harness, 'member')).id;
});
afterAll(() => harness.close());

/** On this day clocks go from 01:59:59 to 03:00:00, and 02:30 is read as 03:30. */
const skipped = () => ({
  title: 'Night',
  begin_time: '2014-03-09 02:30:00',
  end_time: '2014-03-09 03:10:00',
  loc_id: 4711,
  owner_id: owner,
});
const REASON =
  'begin_time does not exist: daylight saving time skips it in the time zone of the service (TIME_ZONE)';

it('an administrator learns that daylight saving time skips the beginning of an event', async () => {
  const { status, body, headers } = await admin.post('/events', skipped());
  expect([status, body.code, headers.get('x-error-detail')]).toEqual([400, 999, REASON]);
});

it('an import reports it for this record alone', async () => {
  const lines = [
    { ...skipped(), id: 1 },
    { ...skipped(), id: 2, begin_time: '2014-03-09 03:05:00' },
  ];
  const errors: ImportError[] = [];
  const input = Readable.from([Buffer.from(lines.map((one) => JSON.stringify(one)).join('\n'))]);
  const service = harness.app.get(ImportService, { strict: false });
  const options = { onError: (error: ImportError) => errors.push(error) };
  expect(await service.import('event', 'events', input, options)).toMatchObject({
    imported: 1,
    failed: 1,
  });
  expect(errors).toEqual([{ file: 'events', line: 1, reason: REASON }]);
});
