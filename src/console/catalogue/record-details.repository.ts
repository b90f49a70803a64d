import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';

/** An import that ran when a record was created or last changed. */
export interface RecordImport {
  /** When the record was stored. */
  readonly at: string;
  readonly actor: string;
  /** Id of the job; null for an import of the command line. */
  readonly job: string | null;
  /** Type of the imported records, or `all`. */
  readonly kind: string;
  /** File or folder of a job. */
  readonly path: string;
}

/** When a record was created and last changed, and the imports that ran at these times. */
export interface RecordTimes {
  readonly created?: string;
  readonly updated?: string;
  readonly imports: readonly RecordImport[];
}

/** Columns with the times of a record, by the kind of records. */
const TIMES: Readonly<Record<string, readonly [table: string, updated: string]>> = {
  book: ['books', 'updated_at'],
  movie: ['subjects', 'updated_at'],
  celebrity: ['celebrities', 'updated_at'],
  event: ['events', 'updated_at'],
  loc: ['cities', 'created_at'],
};

// Times of records are those of their transactions, in whole seconds. A change of an administrator
// has an entry of the same transaction. Few entries of the log are about imports: read first, they
// come from the index by target.
const timesOf = ([table, updated]: readonly [string, string]): string =>
  `SELECT created_at AS at FROM ${table} WHERE id = $1 UNION SELECT ${updated} FROM ${table} WHERE id = $1`;

const read = (kind: string, times: readonly [string, string]): Statement =>
  statement(
    `console.times_of_${kind}`,
    `SELECT ${wireTime('created_at')} AS created, ${wireTime(times[1])} AS updated
     FROM ${times[0]} WHERE id = $1`,
  );

const imports = (kind: string, times: readonly [string, string]): Statement =>
  statement(
    `console.imports_of_${kind}`,
    `WITH t AS (SELECT at FROM (${timesOf(times)}) all_times WHERE NOT EXISTS (
       SELECT FROM audit_log l WHERE l.target_kind = '${kind}' AND l.target_id = $1::bigint::text
         AND date_trunc('second', l.at) = all_times.at)),
       i AS MATERIALIZED (SELECT id, at, actor, action, target_id FROM audit_log
         WHERE target_kind = 'import')
     SELECT ${wireTime('t.at')} AS at, j.created_by AS actor, j.id::text AS job, j.kind, j.path
     FROM t JOIN transfer_jobs j ON j.type = 'import' AND date_trunc('second', j.started_at) <= t.at
       AND coalesce(j.finished_at, j.heartbeat_at) >= t.at
     UNION ALL
     SELECT ${wireTime('t.at')}, b.actor, NULL, b.target_id, ''
     FROM t, LATERAL (SELECT * FROM i
       WHERE i.action = 'import.begin' AND date_trunc('second', i.at) <= t.at
       ORDER BY i.at DESC, i.id DESC LIMIT 1) b
     WHERE EXISTS (SELECT FROM i e WHERE e.action = 'import.end' AND e.target_id = b.target_id
       AND e.actor = b.actor AND e.id > b.id AND e.at >= t.at)
     ORDER BY 1 DESC`,
  );

const STATEMENTS = new Map(
  Object.entries(TIMES).map(([kind, times]) => [
    kind,
    { read: read(kind, times), imports: imports(kind, times) },
  ]),
);

/** A film in which a person is credited. */
export interface CreditedFilm {
  readonly id: string;
  readonly title: string;
  readonly role: string;
}

const CREDITED = statement(
  'console.films_of_person',
  `SELECT s.id::text AS id, s.title, c.role FROM credits c JOIN subjects s ON s.id = c.subject_id
   WHERE c.celebrity_id = $1 AND s.deleted_at IS NULL ORDER BY s.id DESC, c.role LIMIT 100`,
);

/** What records of the catalogue do not contain: when they were stored, and films of people. */
@Injectable()
export class RecordDetailsRepository {
  constructor(private readonly database: Database) {}

  /** The newest hundred credits of a person. */
  listFilms(person: number): Promise<CreditedFilm[]> {
    return this.database.query<CreditedFilm>(CREDITED, [person]);
  }

  /** Photos have no times of their own; a full import keeps the times of the exported records. */
  async findTimes(kind: string, id: number): Promise<RecordTimes> {
    const statements = STATEMENTS.get(kind);
    if (!statements) return { imports: [] };
    const [times] = await this.database.query<{ created: string; updated: string }>(
      statements.read,
      [id],
    );
    const found = await this.database.query<RecordImport>(statements.imports, [id]);
    return { ...times, imports: found };
  }
}
