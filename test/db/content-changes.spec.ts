import { ResponseCache } from '../../src/api/cache/response-cache';
import { readSettings } from '../../src/config/settings';
import { ContentChanges, ContentChangesSweeper } from '../../src/database/content-changes';
import { Database } from '../../src/database/database';
import { Notifications } from '../../src/database/notifications';
import { parsePosition } from '../../src/database/replicas/log-position';
import { SET_BULK } from '../../src/import-export/engine/bulk-settings';
import { openTestDatabase, type TestDatabase } from '../harness';
import { until } from '../e2e/process/programs';

let opened: TestDatabase;
let notifications: Notifications;
beforeAll(async () => {
  opened = await openTestDatabase();
  // As in production: tests have `off` for the whole server.
  await opened.source.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
  );
  notifications = new Notifications(opened.source);
});
afterAll(async () => {
  await notifications.onModuleDestroy();
  await opened.close();
});

/**
 * A reader of changes, and its responses. @param own whose writes are those of its process; without
 * it all writes are those of other processes
 */
async function openReader(
  own = new Database(opened.source),
): Promise<{ cache: ResponseCache; changes: ContentChanges }> {
  const settings = readSettings({});
  const cache = new ResponseCache(settings);
  const changes = new ContentChanges(cache, notifications, settings, own, own);
  changes.onApplicationBootstrap();
  await notifications.start();
  return { cache, changes };
}

it('after a pause of the process, also of its clock, no response from before is used', async () => {
  const { cache, changes } = await openReader();
  expect(await changes.read()).toBe(true);
  // A response is used for a short time after a reading, which a slow machine may miss.
  await until(async () => {
    cache.mark('a response', ['book:1'], cache.version);
    return (await changes.read()) && cache.isMarked('a response');
  });
  const query = notifications.query.bind(notifications);
  jest.spyOn(notifications, 'query').mockImplementation(async (...args) => {
    const [reading] = await query<{ readAt: number }>(...args);
    return [{ ...reading, readAt: (reading?.readAt ?? 0) + 61_000 }] as never;
  });
  expect(await changes.read()).toBe(false);
  expect(await changes.read()).toBe(true);
  expect(cache.isMarked('a response')).toBe(false);
  jest.restoreAllMocks();
  changes.onModuleDestroy();
});

it('the position of a change is not before its commit, also when that is not flushed', async () => {
  const { cache, changes } = await openReader();
  const changed = jest.spyOn(cache, 'change');
  expect(await changes.read()).toBe(true);
  await opened.source.query(`INSERT INTO books (id, title) VALUES (1, '')`);
  for (let round = 0; round < 20; round += 1) {
    await opened.database.transaction(async (executor) => {
      await executor.query(SET_BULK);
      const text = `UPDATE books SET title = '${round}' WHERE id = 1`;
      await executor.query({ name: `test.book_${round}`, text });
    });
    const [row] = await opened.source.query<{ at: string }[]>(
      'SELECT pg_current_wal_insert_lsn()::text AS at',
    );
    expect(await changes.read()).toBe(true);
    const [keys, position] = changed.mock.lastCall ?? [];
    expect(keys).toContain('book:1');
    expect(position).toBeGreaterThanOrEqual(parsePosition(row?.at ?? ''));
  }
  changes.onModuleDestroy();
});

describe('writes of the own process', () => {
  const RENAME = { name: 'test.rename_own', text: 'UPDATE books SET title = $1 WHERE id = 1' };
  let own: Database;
  let reader: Awaited<ReturnType<typeof openReader>>;

  beforeEach(async () => {
    await opened.source.query(
      `INSERT INTO books (id, title) VALUES (1, '') ON CONFLICT DO NOTHING`,
    );
    own = new Database(opened.source);
    reader = await openReader(own);
    reader.changes.keepReading();
    expect(await reader.changes.read()).toBe(true);
  });
  afterEach(() => {
    reader.changes.onModuleDestroy();
    jest.restoreAllMocks();
  });

  /** Whether what was read before is current after work. */
  async function isCurrentAfter(work: () => Promise<unknown>): Promise<boolean> {
    const { cache } = reader;
    const { version } = cache;
    await work();
    cache.mark('a response', ['book:1'], version);
    return cache.isMarked('a response');
  }

  it('a transaction makes its changes known, and no reading repeats them', async () => {
    const { cache, changes } = reader;
    const changed = jest.spyOn(cache, 'change');
    const isCurrent = await isCurrentAfter(() =>
      own.transaction((executor) => executor.query(RENAME, ['of a transaction'])),
    );
    expect(isCurrent).toBe(false);
    expect(changes.knowsOwnChanges).toBe(true);
    expect(changed.mock.calls.flatMap(([keys]) => keys)).toContain('book:1');
    changed.mockClear();
    expect(await changes.read()).toBe(true);
    expect(changed.mock.calls.flatMap(([keys]) => keys)).not.toContain('book:1');
    // Those of the next one do not depend on it.
    await opened.database.query(RENAME, ['of another process']);
    expect(await changes.read()).toBe(true);
    expect(changed.mock.calls.flatMap(([keys]) => keys)).toContain('book:1');
  });

  it('a transaction that ends with its last statements does, too', async () => {
    const isCurrent = await isCurrentAfter(() =>
      own.transaction((executor) => executor.finish([RENAME, ['of the last statements']])),
    );
    expect(isCurrent).toBe(false);
    expect(reader.changes.knowsOwnChanges).toBe(true);
  });

  it('a statement outside transactions needs a reading', async () => {
    const { changes } = reader;
    await own.query(RENAME, ['of a statement']);
    expect(changes.knowsOwnChanges).toBe(false);
    expect(await changes.read()).toBe(true);
    expect(changes.knowsOwnChanges).toBe(true);
  });

  it('a transaction without a successful reading before it needs one', async () => {
    const { changes } = reader;
    jest.spyOn(notifications, 'query').mockRejectedValue(new Error('no response'));
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    expect(await changes.read()).toBe(false);
    await own.transaction((executor) => executor.query(RENAME, ['unknown']));
    expect(changes.knowsOwnChanges).toBe(false);
  });

  it('a transaction that fails has changed nothing', async () => {
    const failing = own.transaction(async (executor) => {
      await executor.query(RENAME, ['not committed']);
      throw new Error('it fails');
    });
    await expect(failing).rejects.toThrow('it fails');
    expect(reader.changes.knowsOwnChanges).toBe(true);
  });
});

describe('while a transaction runs for long', () => {
  const rename = (id: number, title: string): Promise<unknown> =>
    opened.source.query('UPDATE books SET title = $2 WHERE id = $1', [id, title]);

  beforeAll(() =>
    opened.source.query(
      `INSERT INTO books (id, title) VALUES (11, ''), (12, ''), (13, '') ON CONFLICT DO NOTHING`,
    ),
  );

  it('each reading returns the new changes only, and those of the transaction after its commit', async () => {
    const { cache, changes } = await openReader();
    const changed = jest.spyOn(cache, 'change');
    /** The books that have changed since the last call. */
    const booksRead = async (): Promise<string[]> => {
      changed.mockClear();
      expect(await changes.read()).toBe(true);
      const keys = changed.mock.calls.flatMap(([read]) => read);
      return keys.filter((key) => /^book:/.test(key)).sort();
    };
    await booksRead();
    await opened.database.transaction(async (executor) => {
      const text = `UPDATE books SET title = 'first' WHERE id = 11`;
      await executor.query({ name: 'test.rename', text });
      await rename(12, 'second');
      expect(await booksRead()).toEqual(['book:12']);
      await rename(13, 'third');
      expect(await booksRead()).toEqual(['book:13']);
    });
    expect(await booksRead()).toEqual(['book:11']);
    expect(await booksRead()).toEqual([]);
    changes.onModuleDestroy();
  });

  it('old changes of others are deleted', async () => {
    const sweeper = new ContentChangesSweeper(opened.database);
    const sweep = (): Promise<void> => sweeper.run(new AbortController().signal);
    const books = async (): Promise<unknown[]> =>
      (
        await opened.source.query<{ key: string }[]>(
          `SELECT key FROM content_changes, unnest(keys) AS key WHERE key LIKE 'book:%'`,
        )
      ).map(({ key }) => key);
    await opened.database.transaction(async (executor) => {
      const text = `UPDATE books SET title = 'fourth' WHERE id = 11`;
      await executor.query({ name: 'test.rename_again', text });
      await rename(12, 'fifth');
      await sweep();
      await rename(13, 'sixth');
      await sweep();
      expect(await books()).toEqual(['book:13']);
    });
    expect((await books()).sort()).toEqual(['book:11', 'book:13']);
    await sweep();
    expect(await books()).toEqual(['book:11']);
    await sweep();
    expect(await books()).toEqual([]);
  });
});
