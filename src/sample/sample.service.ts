import { Injectable } from '@nestjs/common';
import { SCOPES } from '../api/access/access';
import { OperationError } from '../api/errors/error-codes';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import { ApplicationsService, type NewToken } from '../oauth/applications.service';
import { ImportService } from '../import-export/engine/import.service';
import { EMPTY_SUMMARY, type ImportSummary } from '../import-export/engine/import-options';
import { UsersService } from '../users/users.service';
import { calendarAt, FILES } from './sample.files';

const APPLICATION = 'Sample application';
const READER = 'linmo';
const WEEK = 7 * 24 * 3600;

// The application is created first, under a temporary name: if that exists, a load was interrupted
// and is repeated. A database with other data gets no sample. Applications of developers have an
// owner, and can have any name.
const LOADING = `${APPLICATION} (loading)`;
const STATE = statement(
  'sample.state',
  `SELECT (SELECT client_id FROM applications WHERE name = $1 AND owner_id IS NULL ORDER BY id LIMIT 1) AS client_id,
     EXISTS (SELECT 1 FROM applications WHERE name = $2 AND owner_id IS NULL) AS loading,
     EXISTS (SELECT 1 FROM applications) OR EXISTS (SELECT 1 FROM books)
       OR EXISTS (SELECT 1 FROM users) AS used`,
);
const LOADED = statement(
  'sample.loaded',
  'UPDATE applications SET name = $1 WHERE name = $2 AND owner_id IS NULL',
);

const FORGET_EXPIRED = statement(
  'sample.forget_expired',
  `DELETE FROM access_tokens t USING applications a
   WHERE a.id = t.application_id AND a.client_id = $1 AND t.expires_at < now()`,
);

interface State {
  readonly client_id: string | null;
  readonly loading: boolean;
  readonly used: boolean;
}

/** Loads the sample catalogue with the importer. */
@Injectable()
export class SampleService {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportService,
    private readonly applications: ApplicationsService,
    private readonly users: UsersService,
    private readonly settings: Settings,
  ) {}

  private async state(): Promise<State> {
    const [row] = await this.database.query<State>(STATE, [APPLICATION, LOADING]);
    return row ?? { client_id: null, loading: false, used: false };
  }

  /** Loads the sample into an empty database. */
  async loadWhenEmpty(): Promise<void> {
    const { loading, used } = await this.state();
    if (loading || !used) await this.load();
  }

  /**
   * Loads or updates the sample; its events move to days around `now`.
   * @throws Error when a record fails
   */
  async load(now = new Date()): Promise<ImportSummary> {
    const { client_id: clientId, loading } = await this.state();
    if (clientId === null && !loading) {
      await this.applications.create({ name: LOADING, scopes: SCOPES });
    }
    const total: ImportSummary = { ...EMPTY_SUMMARY };
    const calendar = await calendarAt(now, this.settings.TIME_ZONE);
    for (const { kind, name, open } of FILES) {
      const summary = await this.imports.import(kind, name, await open(calendar), {
        onError: ({ line, reason }) => {
          throw new Error(`the sample's ${name}, line ${line}: ${reason}`);
        },
      });
      for (const outcome of ['imported', 'updated', 'skipped', 'failed'] as const) {
        total[outcome] += summary[outcome];
      }
    }
    await this.database.query(LOADED, [APPLICATION, LOADING]);
    return total;
  }

  /**
   * Issues the token of {@link newToken}; undefined without the sample, or if its application is no
   * longer approved.
   */
  async issueToken(): Promise<string | undefined> {
    const token = await this.newToken();
    try {
      return token && (await this.applications.issue(token));
    } catch (error) {
      // Administrators may change the sample's application like any other.
      if (error instanceof OperationError) return undefined;
      throw error;
    }
  }

  /**
   * A token of the sample's reader, valid for a week; undefined when the database contains other
   * data than the sample.
   */
  async newToken(): Promise<NewToken | undefined> {
    const { client_id: clientId } = await this.state();
    if (clientId === null) return undefined;
    await this.database.query(FORGET_EXPIRED, [clientId]);
    const reader = await this.users.byName(READER);
    return { clientId, userId: reader.id, scopes: SCOPES, ttl: WEEK };
  }
}
