import { Logger } from '@nestjs/common';
import { ClientPresence } from '../../src/api/http/client-presence';
import { currentRequest, onBehalfOf } from '../../src/api/http/current-request';
import { type RequestContext } from '../../src/api/http/request-context';
import { ENTITIES } from '../../src/server/entities';
import { makeDataSource } from '../../src/database/data-source';
import { Notifications } from '../../src/database/notifications';
import { DatabaseGate } from '../e2e/api/database-gate';
import { until } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';

let opened: TestDatabase;
let gate: DatabaseGate;
let notifications: Notifications;
let heard: (string | undefined)[];
let others: (string | undefined)[];

beforeAll(() => {
  Logger.overrideLogger(false);
});

beforeEach(async () => {
  opened = await openTestDatabase();
  gate = await DatabaseGate.before(opened.url);
  notifications = new Notifications(makeDataSource(testSettings(), gate.url, ENTITIES));
  heard = [];
  others = [];
  notifications.on('some_channel', (payload) => {
    heard.push(payload);
  });
  notifications.on('other_channel', () => {
    throw new Error('a listener that fails');
  });
  notifications.on('other_channel', (payload) => {
    others.push(payload);
  });
});

afterEach(async () => {
  await notifications.onModuleDestroy();
  await gate.shut();
  await opened.close();
});

const say = (channel: string, payload: string): Promise<unknown> =>
  opened.source.query('SELECT pg_notify($1, $2)', [channel, payload]);

const listening = async (): Promise<number> => {
  const [row] = await opened.source.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'commonplace-listener'`,
  );
  return row?.n ?? -1;
};

it('calls all listeners when it starts to listen, and then those of the notified channel', async () => {
  await notifications.start();
  expect([heard, others]).toEqual([[undefined], [undefined]]);
  await say('some_channel', 'one');
  await say('other_channel', 'two');
  await say('third_channel', 'three');
  await say('some_channel', '');
  await until(() => Promise.resolve(heard.length === 3 && others.length === 2));
  expect([heard, others]).toEqual([
    [undefined, 'one', undefined],
    [undefined, 'two'],
  ]);
});

it('calls all listeners after a lost connection', async () => {
  await notifications.start();
  await gate.shut();
  await say('some_channel', 'missed');
  await gate.open();
  await until(() => Promise.resolve(heard.length === 2));
  expect(heard).toEqual([undefined, undefined]);
  await say('some_channel', 'again');
  await until(() => Promise.resolve(heard.length === 3));
  expect(heard[2]).toBe('again');
});

it('reconnects when PostgreSQL ends its session', async () => {
  await notifications.start();
  await opened.source.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'commonplace-listener'`,
  );
  await until(() => Promise.resolve(heard.length === 2));
  expect(await listening()).toBe(1);
});

it('starts without the database, and listens when it becomes available', async () => {
  await gate.shut();
  await notifications.start();
  expect(heard).toEqual([undefined]);
  await gate.open();
  await until(() => Promise.resolve(heard.length === 2));
  await say('some_channel', 'here');
  await until(() => Promise.resolve(heard.length === 3));
});

it('has one connection, and none after close', async () => {
  await notifications.start();
  expect(await listening()).toBe(1);
  await notifications.onModuleDestroy();
  await until(async () => (await listening()) === 0);
});

describe('statements on its connection', () => {
  const LOCK = 7;
  /** Statements that the driver received. */
  let sent: string[];
  let open: number;
  let mostOpen: number;

  beforeEach(async () => {
    notifications.heartbeatMs = 1;
    await notifications.start();
    [sent, open, mostOpen] = [[], 0, 0];
    type Query = (config: { readonly text: string }) => Promise<unknown>;
    const { client } = notifications as unknown as { client: { query: Query } };
    const query = client.query.bind(client);
    client.query = (config) => {
      sent.push(config.text);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      return query(config).finally(() => {
        open -= 1;
      });
    };
  });

  const select = (text: string, ms = 10_000): Promise<unknown[]> =>
    notifications.query({ name: text, text }, [], ms);

  it('run one after the other, with the heartbeats', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `SELECT ${n} AS n`);
    const rows = await Promise.all(texts.map((text) => select(text)));
    expect(rows).toEqual(texts.map((_, n) => [{ n }]));
    await until(() => Promise.resolve(sent.includes('SELECT 1')));
    expect(mostOpen).toBe(1);
    await expect(select('SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect(await select('SELECT 2 AS n')).toEqual([{ n: 2 }]);
  });

  it('wait for the late response to one that timed out', async () => {
    const holder = opened.source.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const slow = `SELECT pg_advisory_lock(${LOCK})`;
    await expect(select(slow, 100)).rejects.toThrow('no response of the database within 100 ms');
    const next = select('SELECT 2 AS n');
    // It is not sent after the end of its time either.
    await expect(select('SELECT 3 AS n', 100)).rejects.toThrow('no response');
    expect(sent.at(-1)).toBe(slow);
    await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await holder.release();
    expect(await next).toEqual([{ n: 2 }]);
    expect(sent).not.toContain('SELECT 3 AS n');
    expect(heard).toEqual([undefined]);
  });
});

it('ends a connection that does not respond to a statement, nor to a heartbeat after it', async () => {
  await notifications.start();
  const silent = { name: 'silent', text: 'SELECT pg_sleep(600)' };
  await expect(notifications.query(silent, [], 10)).rejects.toThrow('no response');
  await say('some_channel', 'lost?');
  await until(async () => {
    await say('some_channel', 'heard');
    return heard.at(-1) === 'heard' && heard.includes(undefined, 1);
  });
  await opened.source.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query = 'SELECT pg_sleep(600)'`);
});

it('belongs to no request, also if a statement of a request begins the reconnection', async () => {
  const requests: unknown[] = [];
  notifications.on('some_channel', () => {
    requests.push(currentRequest());
  });
  await notifications.start();
  const request = { presence: new ClientPresence() } as RequestContext;
  const silent = { name: 'silent', text: 'SELECT pg_sleep(600)' };
  const asked = onBehalfOf(request, () => notifications.query(silent, [], 10));
  await expect(asked).rejects.toThrow('no response');
  await until(() => Promise.resolve(heard.length === 2));
  await say('some_channel', 'after');
  await until(() => Promise.resolve(heard.length === 3));
  expect(requests).toEqual([undefined, undefined, undefined]);
  await opened.source.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query = 'SELECT pg_sleep(600)'`);
});

it('replaces its connection after DATABASE_CONNECTION_LIFETIME_SECONDS', async () => {
  const settings = testSettings({ DATABASE_CONNECTION_LIFETIME_SECONDS: '1' });
  notifications = new Notifications(makeDataSource(settings, gate.url, ENTITIES));
  const connections: boolean[] = [];
  notifications.onConnection(() => connections.push(true));
  await notifications.start();
  // Opened, closed and opened again.
  await until(() => Promise.resolve(connections.length >= 3));
  expect(await listening()).toBe(1);
});

it('tells servers only changes of applications that change what callers may do', async () => {
  const changes: (string | undefined)[] = [];
  notifications.on('callers_changed', (payload) => {
    changes.push(payload);
  });
  await notifications.start();
  await opened.source.query(
    `INSERT INTO applications (client_id, name, scopes) VALUES ('key', 'An application', '{}')`,
  );
  const update = (set: string) => opened.source.query(`UPDATE applications SET ${set}`);
  await update(`name = 'Another name', description = 'Text', homepage = 'https://a.example/'`);
  await update(`level = level, redirect_uris = '{https://a.example/}'`);
  await say('some_channel', 'end');
  await until(() => Promise.resolve(heard.includes('end')));
  expect(changes).toEqual([undefined]);
  for (const set of [`level = 'L2'`, `scopes = '{book_basic_r}'`, 'blocked_at = now()'])
    await update(set);
  await opened.source.query('DELETE FROM applications');
  await until(() => Promise.resolve(changes.length === 5));
});
