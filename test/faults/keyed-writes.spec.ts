import { Client } from 'pg';
import { type TestResponse } from '../http';
import { lockWaiters } from '../lock-waiters';
import { until } from './collectors';
import { Scene } from './scene';

/** Notes that users write at once, each with a key. */
const NOTES = 5;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
}, 600_000);
afterAll(() => scene.close());

/** Moves the start of requests ahead: no key becomes free because a minute has passed. */
const DELAY_KEY_EXPIRY = `UPDATE idempotency_keys SET started_at = now() + interval '1 hour'`;

it('requests that failed with the database can be repeated with their keys once it is back', async () => {
  const { tokens } = await scene.people(NOTES, 0);
  const post = (token: string): Promise<TestResponse> =>
    scene.call('/v2/notes', {
      method: 'POST',
      token,
      headers: { 'Idempotency-Key': 'one-key' },
      body: new URLSearchParams({ title: 'keyed', content: 'written once' }),
    });
  const locker = new Client({ connectionString: scene.postgres.url });
  locker.on('error', () => undefined);
  await locker.connect();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
  const failing = Promise.all(tokens.map(post));
  // The requests have claimed their keys.
  await until('all wait', async () => (await lockWaiters(locker)) === NOTES);
  await scene.postgres.down('fast');
  expect((await failing).map(({ status }) => status)).toEqual(tokens.map(() => 503));
  expect((await post(tokens[0] ?? '')).status).toBe(503);
  await scene.postgres.up();
  await scene.postgres.sql(DELAY_KEY_EXPIRY);
  for (const token of tokens) {
    await until('the key is free', async () => (await post(token)).status === 201);
  }
  const rows = await scene.postgres.sql('SELECT count(*)::int AS notes FROM notes');
  expect(rows).toEqual([{ notes: NOTES }]);
  expect(scene.isAlive).toBe(true);
}, 600_000);
