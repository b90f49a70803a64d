import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { SCOPES } from '../../src/api/access/access';
import { ENTITIES } from '../../src/server/entities';
import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { findCluster, readPassword } from '../../src/database/embedded/cluster';
import { urlOf } from '../../src/database/embedded/connection';
import { findPostmaster } from '../../src/database/embedded/pid-file';
import { ApplicationsRepository } from '../../src/oauth/applications.repository';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { type CallersService } from '../../src/oauth/callers.service';
import { OauthRepository } from '../../src/oauth/oauth.repository';
import { Workshop, type Environment, type Server } from '../e2e/process/programs';
import { Factories } from '../factories/factories';
import { callAt } from '../http';
import { testSettings } from '../settings';
import { copyCluster } from './postgres';
import { eventually, processesWith } from './processes';
import { Writers } from './writers';

/** Books that writers collect. */
const BOOKS = 10;

/** Servers that run as processes of their own on one embedded, migrated database. */
export class EmbeddedService {
  readonly servers: Server[] = [];
  private writers: Writers | undefined;

  private constructor(
    readonly workshop: Workshop,
    readonly env: Environment,
  ) {}

  static async open(settings: Environment = {}): Promise<EmbeddedService> {
    const workshop = await Workshop.open();
    const env = {
      DATA_DIR: join(workshop.folder, 'data'),
      NODE_ENV: 'production',
      LAME_DUCK_SECONDS: '0',
      // Writers write as often as they can.
      CAPTCHA_AFTER: '0',
      REQUIRE_HTTPS: 'false',
      ...settings,
    };
    await copyCluster(env.DATA_DIR);
    return new EmbeddedService(workshop, env);
  }

  get dataDir(): string {
    return this.env.DATA_DIR ?? '';
  }

  /** Starts one more server. */
  async serve(settings: Environment = {}): Promise<Server> {
    const server = await this.workshop.serve({ ...this.env, ...settings });
    this.servers.push(server);
    return server;
  }

  /** Id of the process of PostgreSQL; undefined when there is none. */
  async postmaster(): Promise<number | undefined> {
    const cluster = await findCluster(this.dataDir);
    return cluster === undefined ? undefined : (await findPostmaster(cluster))?.pid;
  }

  /** Works on the database beside the servers, without keeping PostgreSQL running for itself. */
  async withSource<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    const cluster = (await findCluster(this.dataDir)) ?? '';
    const port = (await findPostmaster(cluster))?.port ?? 0;
    const url = urlOf({ port, password: await readPassword(cluster) });
    const source = makeDataSource(testSettings(), url, ENTITIES);
    await source.initialize();
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  }

  /** Tokens of new users, one each. */
  tokens(count: number): Promise<string[]> {
    return this.withSource(async (source) => {
      const database = new Database(source);
      const make = new Factories(database);
      const applications = new ApplicationsService(
        database,
        new ApplicationsRepository(database),
        new OauthRepository(database),
        // Only revoking tells the callers that servers remember.
        undefined as unknown as CallersService,
      );
      const { clientId } = await applications.create({ name: 'load', scopes: SCOPES });
      const users = await Promise.all(Array.from({ length: count }, () => make.aUser()));
      const issue = ({ id }: { id: number }): Promise<string> =>
        applications.issue({ clientId, userId: id, scopes: SCOPES, ttl: 86_400 });
      return Promise.all(users.map(issue));
    });
  }

  /** Starts writers, spread over the servers; once in a test. */
  async write(count: number): Promise<Writers> {
    const tokens = await this.tokens(count);
    const books = await this.withSource((source) => {
      const make = new Factories(new Database(source));
      return Promise.all(Array.from({ length: BOOKS }, () => make.aBook()));
    });
    const calls = this.servers.map(({ origin }) => callAt(origin));
    this.writers = new Writers(calls, tokens, books);
    return this.writers;
  }

  /** Which of these titles no note has. */
  async missing(titles: readonly string[]): Promise<string[]> {
    return this.withSource(async (source) => {
      const rows = await source.query<{ title: string }[]>('SELECT title FROM notes');
      const stored = new Set(rows.map(({ title }) => title));
      return titles.filter((title) => !stored.has(title));
    });
  }

  /** Ends everything that still runs. */
  async end(): Promise<void> {
    await this.workshop.clear();
    await this.writers?.stop();
    for (const { pid } of await processesWith(this.workshop.folder)) process.kill(pid, 'SIGKILL');
    const gone = async (): Promise<boolean> =>
      (await processesWith(this.workshop.folder)).length === 0;
    await eventually('every process is gone', gone);
  }

  /** Ends everything that still runs, and removes the folder. */
  async close(): Promise<void> {
    await this.end();
    await this.workshop.close();
  }
}
