import { type Client, type QueryConfig } from 'pg';
import { statement, type Database, type Statement } from '../../database/database';
import { openOwnConnection } from '../../database/own-connection';
import { type Author, type Work } from './edition';

const TABLES = `
CREATE TEMP TABLE staged_authors (key text PRIMARY KEY, name text NOT NULL, bio text NOT NULL);
CREATE TEMP TABLE staged_works (key text PRIMARY KEY, authors json NOT NULL,
  description text NOT NULL, subjects json NOT NULL);`;

const ADD_AUTHORS = statement(
  'open_library.add_authors',
  `INSERT INTO staged_authors SELECT r.key, r.name, r.bio
   FROM json_to_recordset($1::json) AS r(key text, name text, bio text)
   ON CONFLICT (key) DO NOTHING`,
);
const ADD_WORKS = statement(
  'open_library.add_works',
  `INSERT INTO staged_works SELECT r.key, r.authors, r.description, r.subjects
   FROM json_to_recordset($1::json)
     AS r(key text, authors json, description text, subjects json)
   ON CONFLICT (key) DO NOTHING`,
);
const AUTHORS = statement(
  'open_library.authors',
  'SELECT key, name, bio FROM staged_authors WHERE key = ANY($1::text[])',
);
const WORKS = statement(
  'open_library.works',
  'SELECT key, authors, description, subjects FROM staged_works WHERE key = ANY($1::text[])',
);

/** Milliseconds for a batch. No other transaction uses the tables. */
const RESPONSE_MS = 300_000;

/**
 * Stores authors and works in temporary tables while editions are read, because there are tens of
 * millions of them.
 */
export class Staging {
  /** Milliseconds after which a statement without a response fails. */
  responseMs = RESPONSE_MS;

  private constructor(private readonly client: Client) {}

  static async open(database: Database): Promise<Staging> {
    const first = { text: TABLES, query_timeout: RESPONSE_MS };
    return new Staging(await openOwnConnection(database.source, 'commonplace staging', first));
  }

  async addAuthors(authors: readonly Author[]): Promise<void> {
    await this.run(ADD_AUTHORS, JSON.stringify(authors));
  }

  async addWorks(works: readonly Work[]): Promise<void> {
    await this.run(ADD_WORKS, JSON.stringify(works));
  }

  async authors(keys: readonly string[]): Promise<ReadonlyMap<string, Author>> {
    const rows = await this.run<Author>(AUTHORS, keys);
    return new Map(rows.map((row) => [row.key, row]));
  }

  async works(keys: readonly string[]): Promise<ReadonlyMap<string, Work>> {
    const rows = await this.run<Work>(WORKS, keys);
    return new Map(rows.map((row) => [row.key, row]));
  }

  private async run<T>({ name, text }: Statement, value: unknown): Promise<T[]> {
    const query = { name, text, values: [value], query_timeout: this.responseMs };
    return (await this.client.query<never>(query as QueryConfig)).rows;
  }

  /** Closing the connection drops the temporary tables. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
