import {
  type Database,
  statement,
  type SqlExecutor,
  type TransactionExecutor,
} from '../../src/database/database';
import { PoolClient, type LimitedQuery } from '../../src/database/pool-client';
import { openTestDatabase, type TestDatabase } from '../harness';
import { until } from '../e2e/process/programs';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  ({ database } = opened);
  await opened.source.query(
    'CREATE TABLE pairs (id int PRIMARY KEY, of int REFERENCES pairs DEFERRABLE INITIALLY DEFERRED)',
  );
});
afterAll(() => opened.close());
afterEach(() => {
  jest.restoreAllMocks();
});
beforeEach(() => opened.source.query('TRUNCATE pairs'));

const ADD = statement('test.transactions_add', 'INSERT INTO pairs VALUES ($1, $2) RETURNING id');
const COUNT = statement('test.transactions_count', 'SELECT count(*)::int AS n FROM pairs');
const WAIT = statement('test.transactions_wait', 'SELECT pg_sleep(60)');

const count = async (): Promise<number> =>
  (await database.query<{ n: number }>(COUNT))[0]?.n ?? NaN;
const LOCK = statement('test.transactions_lock', 'SELECT id FROM pairs FOR NO KEY UPDATE');
const PID = statement('test.transactions_pid', 'SELECT pg_backend_pid() AS pid');
const DUPLICATE = { code: '23505' };

/** Ends the sessions that run a statement. */
async function endSessions(text: string): Promise<void> {
  await until(async () => {
    const ended = await opened.source.query<unknown[]>(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query = $1 AND datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
      [text],
    );
    return ended.length > 0;
  });
}

it('the last statements are committed, with the rows of each', async () => {
  const rows = await database.transaction(async (executor) => {
    await executor.query(ADD, [1, null]);
    return executor.finish<[{ id: number }, { n: number }]>([ADD, [2, 1]], [COUNT]);
  });
  expect(rows).toEqual([[{ id: 2 }], [{ n: 2 }]]);
  expect(await count()).toBe(2);
});

it('statements together have the rows of each, and nothing is committed if one fails', async () => {
  const rows = await database.transaction((executor) =>
    executor.queryAll<[{ id: number }, { n: number }]>([ADD, [1, null]], [COUNT]),
  );
  expect(rows).toEqual([[{ id: 1 }], [{ n: 1 }]]);
  const failing = database.transaction((executor) =>
    executor.queryAll([ADD, [2, null]], [ADD, [1, null]], [ADD, [3, null]]),
  );
  await expect(failing).rejects.toMatchObject(DUPLICATE);
  expect(await count()).toBe(1);
});

it('a transaction may consist of last statements', async () => {
  await database.transaction((executor) => executor.finish([ADD, [1, null]]));
  expect(await count()).toBe(1);
});

it('the last statements are rolled back if one fails, and the connection is reused', async () => {
  const pids = () => database.query(PID);
  const before = await pids();
  const failing = database.transaction((executor) =>
    executor.finish([ADD, [1, null]], [ADD, [1, null]], [ADD, [2, null]]),
  );
  await expect(failing).rejects.toMatchObject(DUPLICATE);
  expect(await count()).toBe(0);
  expect(await pids()).toEqual(before);
});

it('nothing is committed if a value cannot be sent', async () => {
  const invalid = {
    toPostgres: () => {
      throw new Error('not a value');
    },
  };
  const failing = database.transaction((executor) =>
    executor.finish([ADD, [1, null]], [ADD, [2, invalid]]),
  );
  await expect(failing).rejects.toThrow('not a value');
  expect(await count()).toBe(0);
});

it('an error of the commit itself is reported', async () => {
  const failing = database.transaction((executor) => executor.finish([ADD, [1, 7]]));
  await expect(failing).rejects.toMatchObject({ code: '23503' });
  expect(await count()).toBe(0);
});

it('no statement may follow the last ones', async () => {
  const failing = database.transaction(async (executor) => {
    await executor.finish([ADD, [1, null]]);
    await executor.query(ADD, [2, null]);
  });
  await expect(failing).rejects.toThrow('has ended');
  expect(await count()).toBe(1);
});

it('hooks at the end run after the last statements, and may prevent the commit', async () => {
  const add = async (id: number, end: (executor: SqlExecutor) => Promise<void>) =>
    database.transaction((executor) => executor.finish<[{ id: number }]>([ADD, [id, null]]), {
      end,
    });
  const follow = async (executor: SqlExecutor): Promise<void> => {
    await executor.query(ADD, [2, 1]);
  };
  expect(await add(1, follow)).toEqual([[{ id: 1 }]]);
  expect(await count()).toBe(2);
  await expect(add(3, () => Promise.reject(new Error('not permitted')))).rejects.toThrow(
    'not permitted',
  );
  expect(await count()).toBe(2);
});

it('work without statements needs no transaction', async () => {
  const sent = jest.spyOn(PoolClient.prototype, 'sendPipelined');
  expect(await database.transaction(() => Promise.resolve('done'))).toBe('done');
  expect(sent).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});

it('a transaction is repeated if PostgreSQL ends the session before the commit', async () => {
  let attempts = 0;
  const done = database.transaction(async (executor) => {
    attempts += 1;
    if (attempts > 1) return executor.finish([ADD, [1, null]]);
    return executor.finish([ADD, [1, null]], [WAIT]);
  });
  await endSessions(WAIT.text);
  await done;
  expect(attempts).toBe(2);
  expect(await count()).toBe(1);
});

/** Runs a transaction that waits beside its COMMIT, until `interrupt` closes the connection. */
async function interrupted(interrupt: (client: PoolClient) => void): Promise<number> {
  let attempts = 0;
  const done = database.transaction(async (executor) => {
    attempts += 1;
    await executor.query(ADD, [1, null]);
    const ending = executor.finish([ADD, [2, null]], [WAIT]);
    await until(async () => {
      const waiting = await opened.source.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE query = $1 AND state <> 'idle' AND datname = current_database()`,
        [WAIT.text],
      );
      return waiting.length > 0;
    });
    for (const client of database.backgroundConnections) interrupt(client);
    return ending;
  });
  await expect(done).rejects.toMatchObject({ cause: expect.any(Error), status: 503 });
  await expect(done).rejects.toMatchObject({ detail: expect.stringContaining('check whether') });
  await endSessions(WAIT.text);
  return attempts;
}

it('the outcome is unknown if the connection is lost, and it is not repeated', async () => {
  expect(await interrupted((client) => client.destroy())).toBe(1);
});

it('the outcome is unknown if a pooler reports that it has lost PostgreSQL', async () => {
  const error = { message: 'server conn crashed?', severity: 'FATAL', code: '08P01' };
  const attempts = await interrupted((client) => {
    client.connection.emit('errorMessage', Object.assign(new Error(error.message), error));
    client.destroy();
  });
  expect(attempts).toBe(1);
});

/** Replaces the next command of the only transaction by one that fails, as if it were cancelled. */
function failNextCommand(): void {
  const [client] = database.backgroundConnections as [PoolClient];
  const query = client.query.bind(client) as (config: LimitedQuery) => unknown;
  jest
    .spyOn(client, 'query')
    .mockImplementationOnce(((config: LimitedQuery) =>
      query({ ...config, text: 'SELECT 1 / 0' })) as never);
}
const FAILED = { code: '22012' };

it.each<[string, (executor: TransactionExecutor) => Promise<unknown>]>([
  ['a statement', (executor) => executor.query(ADD, [1, null])],
  ['statements after a lock', (executor) => executor.queryAll([LOCK], [ADD, [1, null]])],
])('nothing is committed if BEGIN fails before %s', async (_, work) => {
  const done = database.transaction(async (executor) => {
    failNextCommand();
    await work(executor);
  });
  await expect(done).rejects.toMatchObject(FAILED);
  expect(await count()).toBe(0);
});

it('a connection whose ROLLBACK fails is not used again', async () => {
  const done = database.transaction(async (executor) => {
    await executor.query(ADD, [1, null]);
    failNextCommand();
    throw new Error('not permitted');
  });
  await expect(done).rejects.toThrow('not permitted');
  expect(await count()).toBe(0);
});

it('an error that the work has caught still fails the transaction', async () => {
  const done = database.transaction(async (executor) => {
    await executor.finish([ADD, [1, null]], [ADD, [1, null]]).catch(() => undefined);
    return 'done';
  });
  await expect(done).rejects.toMatchObject(DUPLICATE);
  const other = database.transaction(async (executor) => {
    await executor.queryAll([ADD, [1, null]], [ADD, [1, null]]).catch(() => undefined);
    return 'done';
  });
  await expect(other).rejects.toThrow('PostgreSQL responded to COMMIT with ROLLBACK');
  expect(await count()).toBe(0);
});
