import { type DataSource } from 'typeorm';
import { SCOPES } from '../../src/api/access/access';
import { ENTITIES } from '../../src/server/entities';
import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { ApplicationsRepository } from '../../src/oauth/applications.repository';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { type CallersService } from '../../src/oauth/callers.service';
import { OauthRepository } from '../../src/oauth/oauth.repository';
import { Workshop, type Ended, type Environment, type Server } from '../e2e/process/programs';
import { Factories } from '../factories/factories';
import { callAt, type Call } from '../http';
import { testSettings } from '../settings';
import { Postgres, type PostgresOptions } from './postgres';

const FIRST_BOOK = 8_000_000;

/** A server process on a PostgreSQL of the test's own. */
export class Scene {
  readonly call: Call;

  private constructor(
    readonly postgres: Postgres,
    private readonly workshop: Workshop,
    private readonly env: Environment,
    readonly server: Server,
  ) {
    this.call = callAt(server.origin);
  }

  /** @param settings of the server */
  static async open(
    settings: Environment | ((postgres: Postgres) => Promise<Environment>) = {},
    options: PostgresOptions = {},
  ): Promise<Scene> {
    const postgres = await Postgres.start(options);
    const workshop = await Workshop.open();
    const more = typeof settings === 'function' ? await settings(postgres) : settings;
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal', ...more };
    const server = await workshop.serve(env);
    return new Scene(postgres, workshop, env, server);
  }

  /** Runs a command on the same database to its end. */
  command(args: readonly string[]): Promise<Ended> {
    return this.workshop.cli(this.env, args);
  }

  /** Makes records in the database, while it is up. */
  async make<T>(
    work: (make: Factories, applications: ApplicationsService) => Promise<T>,
  ): Promise<T> {
    const source: DataSource = makeDataSource(testSettings(), this.postgres.url, ENTITIES);
    await source.initialize();
    try {
      const database = new Database(source);
      const applications = new ApplicationsService(
        database,
        new ApplicationsRepository(database),
        new OauthRepository(database),
        // Only revoking tells the callers that are remembered, which are another process's here.
        undefined as unknown as CallersService,
      );
      return await work(new Factories(database), applications);
    } finally {
      await source.destroy();
    }
  }

  /** Whether `/readyz` reports this status. */
  async reports(status: string): Promise<boolean> {
    const { body } = await this.call('/readyz');
    return (body as { status?: string }).status === status;
  }

  /** Users with a token each, and books. */
  people(users: number, books: number): Promise<{ tokens: string[]; books: number[] }> {
    return this.make(async (make, applications) => {
      const { clientId } = await applications.create({ name: 'faults', scopes: SCOPES });
      const tokens: string[] = [];
      for (let user = 0; user < users; user += 1) {
        const { id } = await make.aUser();
        tokens.push(
          await applications.issue({ clientId, userId: id, scopes: SCOPES, ttl: 36_000 }),
        );
      }
      const ids = Array.from({ length: books }, (_, at) => FIRST_BOOK + at);
      await this.postgres.sql(
        `INSERT INTO books (id, title)
          SELECT id, 'Book ' || id FROM generate_series(${FIRST_BOOK}, ${FIRST_BOOK + books - 1}) id`,
      );
      return { tokens, books: ids };
    });
  }

  /** Whether the process runs as it did at the start, and has complained about nothing. */
  get isAlive(): boolean {
    const { child, stderr } = this.server.program;
    return child.exitCode === null && child.signalCode === null && stderr === '';
  }

  async close(): Promise<void> {
    await this.workshop.close();
    await this.postgres.close();
  }
}
