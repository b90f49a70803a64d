import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { type DynamicModule, type Type } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Pool } from 'pg';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { SCOPES, type Level } from '../src/api/access/access';
import { PasswordHasher, type PasswordCost } from '../src/accounts/passwords';
import { ENTITIES } from '../src/server/entities';
import { openDatabase, type OpenDatabase } from '../src/server/open-database';
import { makeApp } from '../src/server/setup';
import { makeLogger } from '../src/config/logger';
import { type Settings } from '../src/config/settings';
import { Database } from '../src/database/database';
import { makeDataSource } from '../src/database/data-source';
import { ApplicationsService } from '../src/oauth/applications.service';
import { callAt, type Call } from './http';
import { databaseAt, testSettings } from './settings';

export { callAt, type TestResponse, type CallOptions } from './http';

/** A database of its own, copied from the migrated template. */
export interface TestDatabase {
  readonly url: string;
  readonly source: DataSource;
  readonly database: Database;
  close(): Promise<void>;
}

let administration: Pool | undefined;

/** Runs a statement on a connection that stays open for the next one, and ends with the process. */
async function administer(sql: string): Promise<void> {
  administration ??= new Pool({
    connectionString: process.env.TEST_SERVER_URL,
    allowExitOnIdle: true,
    // The server may end while the connection is idle.
  }).on('error', () => undefined);
  await administration.query(sql);
}

/** Opens a fresh, migrated, empty database; `close` drops it. */
export async function openTestDatabase(settings: Settings = testSettings()): Promise<TestDatabase> {
  // Never the same: one that a failure left behind must not fail the tests after it.
  const name = `commonplace_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${process.env.TEST_TEMPLATE}`);
  const url = databaseAt(String(process.env.TEST_SERVER_URL), name);
  const source = makeDataSource(settings, url, ENTITIES);
  await source.initialize();
  return {
    url,
    source,
    database: new Database(source),
    close: async () => {
      if (source.isInitialized) await source.destroy();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Tests hash many passwords. */
const CHEAP: PasswordCost = { N: 2, r: 8, p: 1 };

/** A running server on a database of its own. */
export interface Harness extends TestDatabase {
  readonly app: NestExpressApplication;
  /** Where it listens: `http://127.0.0.1:port`. */
  readonly origin: string;
  /** Calls a path of the server. */
  readonly call: Call;
  /**
   * A token of a fresh application that is approved for `approved` (everything when not given).
   */
  token(options?: TokenOptions): Promise<string>;
}

export interface TokenOptions {
  /** Its user; an application-only token without one. */
  readonly userId?: number;
  readonly scopes?: readonly string[];
  readonly approved?: readonly string[];
  readonly level?: Level;
  /** Seconds; negative for an expired token. */
  readonly ttl?: number;
}

/** A pooler of connections, such as `PgBouncer` of test/faults/pgbouncer. */
export interface Pooler {
  readonly mode: Settings['DATABASE_POOLING'];
  /** The address of a database through it. */
  urlOf(url: string): string;
}

export interface HarnessOptions {
  readonly settings?: Record<string, string>;
  /** The module to serve instead of the whole service. */
  readonly root?: (settings: Settings, source: DataSource) => Type | DynamicModule;
  /** Where log lines go; nowhere when not given. */
  readonly logger?: Logger;
  /** A pooler between the server and PostgreSQL. */
  readonly pooler?: Pooler;
  /** Prepares the database before the server connects to it. */
  readonly beforeServing?: (source: DataSource) => Promise<unknown>;
  /** Passwords have the cost that they have in production, which is 0.3 seconds of CPU time each. */
  readonly costlyPasswords?: boolean;
  /** `BASE_URL` is where the server really listens, for clients that follow what it says. */
  readonly reachable?: boolean;
}

/** The database as a server has it that was started with the addresses of a pooler. */
function openThrough(pooler: Pooler, url: string, settings: Settings): Promise<OpenDatabase> {
  settings.DATABASE_URL = pooler.urlOf(url);
  settings.DATABASE_POOLING = pooler.mode;
  // A pooler in session mode serves everything.
  if (pooler.mode === 'transaction') settings.DATABASE_DIRECT_URL = url;
  return openDatabase(settings);
}

/** Starts the service over HTTP on a fresh database. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const settings = testSettings(options.settings);
  const opened = await openTestDatabase(settings);
  await options.beforeServing?.(opened.source);
  const pooled = options.pooler && (await openThrough(options.pooler, opened.url, settings));
  const { source, direct } = pooled ?? { source: opened.source, direct: opened.source };
  const root = options.root?.(settings, source);
  const app = await makeApp(settings, source, options.logger ?? makeLogger(settings), {
    root,
    direct,
  });
  if (!options.root && !options.costlyPasswords) {
    app.get(PasswordHasher, { strict: false }).setCost(CHEAP);
  }
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  // Known only now; read with every request.
  if (options.reachable) settings.BASE_URL = origin;
  const applications = app.get(ApplicationsService, { strict: false });
  return {
    ...opened,
    database: app.get(Database, { strict: false }),
    app,
    origin,
    call: callAt(origin),
    token: async ({ userId, scopes = SCOPES, approved = SCOPES, level, ttl = 3600 } = {}) => {
      const all = [...new Set([...scopes, ...approved])];
      const { clientId } = await applications.create({ name: 'test', level, scopes: all });
      const token = await applications.issue({ clientId, userId, scopes, ttl });
      // A change is told to the server, which then forgets what it remembers: only where it is one.
      if (all.length !== new Set(approved).size) {
        const take = 'UPDATE applications SET scopes = $1 WHERE client_id = $2';
        await opened.source.query(take, [approved, clientId]);
      }
      return token;
    },
    close: async () => {
      await app.close();
      await pooled?.close();
      await opened.close();
    },
  };
}
