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

/** Moves the start of requests ahead: no key becomes free for two minutes. */
const DELAY_KEY_EXPIRY = `UPDATE idempotency_keys SET started_at = now() + interval '1 minute'`;

/** Records which keys have been claimed, also after their release. */
const RECORD_CLAIMS = `
CREATE TABLE recorded_claims (key text);
CREATE FUNCTION record_claim() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN INSERT INTO recorded_claims VALUES (NEW.key); RETURN NULL; END $$;
CREATE TRIGGER record_claim AFTER INSERT ON idempotency_keys
  FOR EACH ROW EXECUTE FUNCTION record_claim();
`;

const post = (token: string, key = 'one-key'): Promise<TestResponse> =>
  scene.call('/v2/notes', {
    method: 'POST',
    token,
    headers: { 'Idempotency-Key': key },
    body: new URLSearchParams({ title: 'keyed', content: 'written once' }),
  });

/** Sends requests that wait, each with a connection to the database, until the lock is released. */
async function postBeforeLock(tokens: readonly string[], key: string) {
  const locker = new Client({ connectionString: scene.postgres.url });
  locker.on('error', () => undefined);
  await locker.connect();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
  const failing = Promise.all(tokens.map((token) => post(token, key)));
  await until('all wait', async () => (await lockWaiters(locker)) === NOTES);
  return { failing, unlock: () => locker.end() };
}

/** Repeats each request until it succeeds, without the time after which keys become free. */
async function repeatAll(tokens: readonly string[]): Promise<void> {
  await scene.postgres.sql(DELAY_KEY_EXPIRY);
  for (const token of tokens) {
    await until('the key is free', async () => (await post(token)).status === 201);
  }
  const rows = await scene.postgres.sql('SELECT count(*)::int AS notes FROM notes');
  expect(rows).toEqual([{ notes: tokens.length }]);
  expect(scene.isAlive).toBe(true);
}

it('requests that failed with the database can be repeated with their keys once it is back', async () => {
  const { tokens } = await scene.people(NOTES, 0);
  // The requests have claimed their keys.
  const { failing } = await postBeforeLock(tokens, 'one-key');
  await scene.postgres.down('fast');
  expect((await failing).map(({ status }) => status)).toEqual(tokens.map(() => 503));
  expect((await post(tokens[0] ?? '')).status).toBe(503);
  await scene.postgres.up();
  await repeatAll(tokens);
}, 600_000);

it('requests whose claim of the key was lost can be repeated once the database responds again', async () => {
  const { tokens } = await scene.people(NOTES, 0);
  // The service remembers the tokens and has a connection for each: the claim is what comes next.
  const { failing: warm, unlock } = await postBeforeLock(tokens, 'another-key');
  await unlock();
  expect((await warm).map(({ status }) => status)).toEqual(tokens.map(() => 201));
  await scene.postgres.sql('TRUNCATE notes CASCADE');
  await scene.postgres.sql(RECORD_CLAIMS);
  await scene.postgres.freeze();
  const failed = await Promise.all(tokens.map((token) => post(token)));
  expect(failed.map(({ status }) => status)).toEqual(tokens.map(() => 503));
  scene.postgres.thaw();
  await scene.postgres.ready();
  await until('the claims are executed', async () => {
    const claims = await scene.postgres.sql('SELECT 1 FROM recorded_claims');
    return claims.length === NOTES;
  });
  await repeatAll(tokens);
}, 600_000);
