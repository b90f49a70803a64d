import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { signedInAdministrator } from '../console/administrator';
import { type Browser } from '../oauth/browser';
import { queuedBehind } from '../oauth/lock-row';

const DAY = '2026-02-02';

let harness: Harness;
let administrator: Browser;
let form_token: string;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = await administrator.formToken();
});
afterAll(() => harness.close());

it('a chart that is computed while it is written has an audit entry with the written state', async () => {
  const movies = new MovieFactories(harness.database);
  const [one, other] = [await movies.aSubject(), await movies.aSubject()];
  await movies.aCity('Harbour', 'harbour');
  const send = (path: string, fields: object): ReturnType<Browser['post']> =>
    administrator.post(`/admin/charts/${path}`, {
      ...{ form_token, name: 'in_theaters', date: DAY, city: 'harbour' },
      ...fields,
    });
  await send('write', { entries: `${one}` });
  await queuedBehind(
    harness.url,
    `SELECT 1 FROM chart_snapshots WHERE date = $1::date FOR UPDATE`,
    [DAY],
    [() => send('write', { entries: `${one}\n${other}` }), () => send('compute', {})],
  );
  const entries: { action: string; before: { snapshots: { entries: number }[] } }[] =
    await harness.source.query(
      `SELECT action, before FROM audit_log WHERE target_kind = 'chart' ORDER BY id DESC`,
    );
  expect(entries.map(({ action }) => action)).toEqual([
    'chart.compute',
    'chart.write',
    'chart.write',
  ]);
  expect(entries[0]?.before.snapshots.map((snapshot) => snapshot.entries)).toEqual([2]);
});
