import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A log of committed changes, which processes read to keep responses in memory. It replaces NOTIFY,
 * because a transaction that notifies holds a lock of the whole server until its commit is on disk.
 */
export class ContentChanges1764620000000 implements MigrationInterface {
  name = 'ContentChanges1764620000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(LOG);
    for (const exact of EXACT) {
      await db.query(functionsOf(exact));
      for (const event of exact.events) await db.query(triggerOf(exact, event));
    }
    for (const [table, key] of COARSE) await db.query(coarseTriggerOf(table, key));
    await db.query(USERS);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { table } of EXACT) {
      await db.query(
        `DROP FUNCTION log_${table}_inserts, log_${table}_updates, log_${table}_deletes CASCADE`,
      );
    }
    await db.query('DROP FUNCTION log_users_updates, log_change CASCADE');
    await db.query('DROP TABLE content_changes');
  }
}

// Unlogged: after a crash, every process starts with an empty memory.
const LOG = `
CREATE UNLOGGED TABLE content_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  keys text[] NOT NULL
);
CREATE INDEX content_changes_xid ON content_changes (xid);
CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_changes (keys) VALUES (TG_ARGV);
  RETURN NULL;
END $$;`;

type Event = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';

/** A table whose changes are logged row by row. */
interface Exact {
  readonly table: string;
  readonly events: readonly Event[];
  /** The keys of a row, as a list of SQL expressions. */
  readonly keys: string;
  /** The same for a new row, which is in no response yet; default is {@link keys}. */
  readonly keysOfNew?: string;
  /** Condition of the trigger for new rows. */
  readonly newRowsWhen?: string;
  /** Keys of all rows of the table. */
  readonly groups: string;
}

const ALL: readonly Event[] = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'];

const EXACT: readonly Exact[] = [
  {
    table: 'books',
    events: ALL,
    keys: `'book:' || id, 'isbn:' || nullif(isbn10, ''), 'isbn:' || nullif(isbn13, '')`,
    keysOfNew: `'isbn:' || nullif(isbn10, ''), 'isbn:' || nullif(isbn13, '')`,
    groups: 'book,isbn',
  },
  {
    table: 'book_tags',
    events: ALL,
    keys: `'book:' || book_id`,
    // Imports count tags themselves only for books that are new.
    newRowsWhen: `current_setting('commonplace.tags_counted', true) IS DISTINCT FROM 'on'`,
    groups: 'book',
  },
  {
    table: 'collections',
    events: ALL,
    keys: `'collection:' || user_id || ':' || book_id`,
    groups: 'collection',
  },
  // No response depends on an event that does not exist yet.
  {
    table: 'events',
    events: ['UPDATE', 'DELETE', 'TRUNCATE'],
    keys: `'event:' || id`,
    groups: 'event',
  },
  { table: 'participations', events: ALL, keys: `'event:' || event_id`, groups: 'event' },
  {
    table: 'event_invitations',
    events: ALL,
    keys: `'invitation:' || user_id || ':' || event_id`,
    groups: 'invitation',
  },
];

/** A change of more keys than this is logged as a change of all rows. */
const MAX_KEYS = 2000;

const functionOf = (name: string, rows: string, keys: string, groups: string): string => `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_changes (keys)
  SELECT CASE WHEN count(*) > ${MAX_KEYS} THEN '{${groups}}' ELSE array_agg(key) END
  FROM (SELECT DISTINCT unnest(ARRAY[${keys}]) AS key FROM ${rows}) AS keyed
  WHERE key IS NOT NULL HAVING count(*) > 0;
  RETURN NULL;
END $$;`;

/** An update counts for the keys of the old and the new rows. */
const functionsOf = ({ table, keys, keysOfNew = keys, groups }: Exact): string =>
  functionOf(`log_${table}_inserts`, 'changed', keysOfNew, groups) +
  functionOf(`log_${table}_deletes`, 'changed', keys, groups) +
  functionOf(
    `log_${table}_updates`,
    '(SELECT * FROM before UNION ALL SELECT * FROM changed) AS touched',
    keys,
    groups,
  );

const ROWS: Readonly<Record<Event, string>> = {
  INSERT: 'REFERENCING NEW TABLE AS changed',
  UPDATE: 'REFERENCING OLD TABLE AS before NEW TABLE AS changed',
  DELETE: 'REFERENCING OLD TABLE AS changed',
  TRUNCATE: '',
};

function triggerOf({ table, groups, newRowsWhen }: Exact, event: Event): string {
  const functions: Readonly<Record<Event, string>> = {
    INSERT: `log_${table}_inserts()`,
    UPDATE: `log_${table}_updates()`,
    DELETE: `log_${table}_deletes()`,
    TRUNCATE: `log_change(${groups
      .split(',')
      .map((group) => `'${group}'`)
      .join(', ')})`,
  };
  const condition = event === 'INSERT' && newRowsWhen ? `WHEN (${newRowsWhen})` : '';
  return `CREATE TRIGGER ${table}_${event.toLowerCase()}_logged AFTER ${event} ON ${table}
    ${ROWS[event]} FOR EACH STATEMENT ${condition} EXECUTE FUNCTION ${functions[event]}`;
}

/** Tables whose every change counts for all responses of their subject. They change rarely. */
const COARSE: readonly (readonly [string, string])[] = [
  ...[
    'subjects',
    'subject_search',
    'subject_tags',
    'credits',
    'celebrities',
    'photos',
    'showings',
    'movie_reviews',
    'movie_comments',
    'chart_snapshots',
    'chart_entries',
  ].map((table) => [table, 'movies'] as const),
  ['cities', 'cities'],
  ['series', 'series'],
];

const coarseTriggerOf = (table: string, key: string): string => `
  CREATE TRIGGER ${table}_logged AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION log_change('${key}')`;

// New users are in no response yet. Most updates change nothing that responses show.
const USERS = `
CREATE FUNCTION log_users_updates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_changes (keys)
  SELECT ARRAY['users'] WHERE EXISTS (
    SELECT FROM before b JOIN after a USING (id)
    WHERE (b.uid, b.name, b.signature, b.avatar) IS DISTINCT FROM (a.uid, a.name, a.signature, a.avatar));
  RETURN NULL;
END $$;
CREATE TRIGGER users_update_logged AFTER UPDATE ON users
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION log_users_updates();
CREATE TRIGGER users_delete_logged AFTER DELETE OR TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION log_change('users')`;
