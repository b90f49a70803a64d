import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Renames tables, columns, indexes, constraints, triggers and functions to the usual terms. No table
 * is rewritten and no index is rebuilt.
 */
export class StandardNames1764570000000 implements MigrationInterface {
  name = 'StandardNames1764570000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(dropTriggers(FORMER));
    await db.query(RENAMES.join(';\n'));
    await db.query(NOT_NULL_NAMES);
    await db.query(functionsOf(STANDARD));
    await db.query(createTriggers(STANDARD));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(dropTriggers(STANDARD));
    await db.query(REVERSED.join(';\n'));
    await db.query(NOT_NULL_NAMES);
    await db.query(functionsOf(FORMER));
    await db.query(createTriggers(FORMER));
  }
}

type Pair = readonly [former: string, standard: string];

const TABLES: readonly Pair[] = [
  ['held_content', 'moderation_queue'],
  ['spent_captchas', 'used_captchas'],
];

const SOFT_DELETED = ['books', 'subjects', 'celebrities', 'events', 'cities'];
const WITH_PLACEHOLDERS = [
  ...['users', 'books', 'cities', 'subjects', 'celebrities', 'photos', 'movie_reviews', 'notes'],
];
/** Tables with texts that moderation can hide, by their kind. */
const MODERATED: readonly (readonly [table: string, kind: string])[] = [
  ['collections', 'collection'],
  ['annotations', 'annotation'],
  ['reviews', 'review'],
  ['notes', 'note'],
  ['note_replies', 'note_reply'],
];

const COLUMNS: readonly (readonly [table: string, former: string, standard: string])[] = [
  ...SOFT_DELETED.map((table) => [table, 'removed_at', 'deleted_at'] as const),
  ...WITH_PLACEHOLDERS.map((table) => [table, 'stub', 'placeholder'] as const),
  ...MODERATED.map(([table]) => [table, 'held', 'hidden'] as const),
  ['credits', 'role_place', 'role_sort_order'],
  ['credits', 'work_place', 'work_sort_order'],
  ['credits', 'featured_place', 'featured_sort_order'],
  ['photos', 'place', 'sort_order'],
  ['movie_reviews', 'place', 'sort_order'],
  ['transfer_jobs', 'place', 'path'],
  ['transfer_jobs', 'by_hand', 'from_cli'],
  ['transfer_jobs', 'faults', 'errors'],
  ['transfer_jobs', 'fault_count', 'error_count'],
  ['idempotency_keys', 'carried_out', 'executed'],
  ['idempotency_keys', 'answer', 'response'],
  ['pictures', 'touched_at', 'last_referenced_at'],
  ['book_sources', 'made', 'created_book'],
  ['application_usage', 'calls', 'requests'],
  ['application_usage', 'refused', 'rejected'],
];

/** Indexes without a constraint. */
const INDEXES: readonly Pair[] = [
  ...SOFT_DELETED.map((table): Pair => [`${table}_removed`, `${table}_deleted`]),
  ...[
    ...['users', 'applications', 'series', 'celebrities', 'events', 'photos', 'books', 'subjects'],
  ].map((table): Pair => [`${table}_by_part`, `${table}_by_substring`]),
  ...['books', 'subjects', 'celebrities', 'events'].map((table): Pair => [
    `${table}_shown`,
    `${table}_visible`,
  ]),
  ...['books', 'subjects', 'celebrities'].map((table): Pair => [
    `${table}_unknown`,
    `${table}_placeholders`,
  ]),
  ['held_content_once', 'moderation_queue_open_unique'],
  ['held_content_by_target', 'moderation_queue_by_target'],
  ['held_content_by_user', 'moderation_queue_by_user'],
  ['held_content_open', 'moderation_queue_open'],
  ['held_content_by_decision', 'moderation_queue_by_decision'],
  ['note_replies_held', 'note_replies_hidden'],
  ['reports_once', 'reports_open_unique'],
  ['spent_captchas_by_expiry', 'used_captchas_by_expiry'],
  ['sessions_by_end', 'sessions_by_expiry'],
  ['events_by_place', 'events_by_coordinates'],
  ['transfer_jobs_to_do', 'transfer_jobs_unfinished'],
  ['application_decisions_waiting', 'application_decisions_pending'],
];

/** Constraints by the new name of their table. An index of a constraint is renamed with it. */
const CONSTRAINTS: readonly (readonly [table: string, former: string, standard: string])[] = [
  ...[
    ...['book_tags', 'subject_tags', 'friendships', 'note_likes', 'event_invitations'],
    ...['application_usage', 'idempotency_keys', 'picture_uses', 'chart_entries', 'book_sources'],
  ].map((table) => [table, `${table}_once`, `${table}_pkey`] as const),
  ...[
    ...['collections', 'banned_words', 'credits', 'showings', 'participations', 'chart_snapshots'],
  ].map((table) => [table, `${table}_once`, `${table}_unique`] as const),
  ...['pkey', 'user', 'decision', 'decided'].map(
    (end) => ['moderation_queue', `held_content_${end}`, `moderation_queue_${end}`] as const,
  ),
  ['used_captchas', 'spent_captchas_pkey', 'used_captchas_pkey'],
  ['friendships', 'friendships_in_order', 'friendships_lower_id_first'],
  ['photos', 'photos_of_one', 'photos_one_parent'],
  ['events', 'events_place', 'events_coordinates'],
  ['cities', 'cities_time_zone_known', 'cities_time_zone_exists'],
  ['chart_snapshots', 'chart_snapshots_in_cities', 'chart_snapshots_city_by_name'],
];

const TRIGGERS: readonly (readonly [table: string, former: string, standard: string])[] = [
  ['access_tokens', 'access_tokens_gone', 'access_tokens_deleted'],
  ['audit_log', 'audit_log_stays', 'audit_log_append_only'],
];

const FUNCTIONS: readonly Pair[] = [
  ['forget_books', 'delete_book_children'],
  ['forget_subjects', 'delete_subject_children'],
  ['forget_held', 'withdraw_queue_entries'],
  ['tell_words_changed', 'notify_words_changed'],
  ['tell_limits_changed', 'notify_limits_changed'],
  ['tell_callers_changed', 'notify_callers_changed'],
  ['tell_tokens_changed', 'notify_tokens_changed'],
  ['refuse_audit_change', 'reject_audit_log_change'],
  ['text_pairs', 'text_ngrams'],
  ['text_pairs_of_part', 'query_ngrams'],
];

const renameTable = (from: string, to: string): string => `ALTER TABLE ${from} RENAME TO ${to}`;
const renameColumn = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`;
const renameIndex = (from: string, to: string): string => `ALTER INDEX ${from} RENAME TO ${to}`;
const renameConstraint = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${table} RENAME CONSTRAINT ${from} TO ${to}`;
const renameTrigger = (table: string, from: string, to: string): string =>
  `ALTER TRIGGER ${from} ON ${table} RENAME TO ${to}`;
const renameFunction = (from: string, to: string): string =>
  `ALTER FUNCTION ${from} RENAME TO ${to}`;
const SEQUENCES: readonly Pair[] = [['held_content_id_seq', 'moderation_queue_id_seq']];
const renameSequence = (from: string, to: string): string =>
  `ALTER SEQUENCE ${from} RENAME TO ${to}`;

const RENAMES: readonly string[] = [
  ...TABLES.map(([former, standard]) => renameTable(former, standard)),
  ...SEQUENCES.map(([former, standard]) => renameSequence(former, standard)),
  ...COLUMNS.map(([table, former, standard]) => renameColumn(table, former, standard)),
  ...INDEXES.map(([former, standard]) => renameIndex(former, standard)),
  ...CONSTRAINTS.map(([table, former, standard]) => renameConstraint(table, former, standard)),
  ...TRIGGERS.map(([table, former, standard]) => renameTrigger(table, former, standard)),
  ...FUNCTIONS.map(([former, standard]) => renameFunction(former, standard)),
];

const REVERSED: readonly string[] = [
  ...FUNCTIONS.map(([former, standard]) => renameFunction(standard, former)),
  ...TRIGGERS.map(([table, former, standard]) => renameTrigger(table, standard, former)),
  ...CONSTRAINTS.map(([table, former, standard]) => renameConstraint(table, standard, former)),
  ...INDEXES.map(([former, standard]) => renameIndex(standard, former)),
  ...COLUMNS.map(([table, former, standard]) => renameColumn(table, standard, former)),
  ...SEQUENCES.map(([former, standard]) => renameSequence(standard, former)),
  ...TABLES.map(([former, standard]) => renameTable(standard, former)),
];

// From PostgreSQL 18 on, NOT NULL constraints have names of their table and column, which do not
// follow a rename. Earlier versions have no such rows.
const NOT_NULL_NAMES = `
DO $$
DECLARE
  named record;
BEGIN
  FOR named IN
    SELECT format('%I', c.relname) AS owner, conname AS former,
      c.relname || '_' || attname || '_not_null' AS standard
    FROM pg_constraint JOIN pg_class c ON c.oid = conrelid
    JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
    WHERE contype = 'n' AND connamespace = current_schema()::regnamespace
      AND conname LIKE '%\\_not\\_null'
      AND conname <> c.relname || '_' || attname || '_not_null'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I',
      named.owner, named.former, named.standard);
  END LOOP;
END $$`;

/** Names that differ in bodies of functions, which PostgreSQL stores as text, and in triggers. */
interface Names {
  readonly deleted: string;
  readonly booksTrigger: string;
  readonly subjectsTrigger: string;
  readonly queueTrigger: string;
  readonly books: string;
  readonly subjects: string;
  readonly withdraw: string;
  readonly queue: string;
  readonly hidden: string;
  readonly rejectAuditChange: string;
  readonly auditMessage: string;
}

const FORMER: Names = {
  deleted: 'gone',
  booksTrigger: 'books_gone',
  subjectsTrigger: 'subjects_gone',
  queueTrigger: 'held_gone',
  books: 'forget_books',
  subjects: 'forget_subjects',
  withdraw: 'forget_held',
  queue: 'held_content',
  hidden: 'held',
  rejectAuditChange: 'refuse_audit_change',
  auditMessage: 'the audit log is only added to',
};

const STANDARD: Names = {
  deleted: 'deleted',
  booksTrigger: 'books_delete_children',
  subjectsTrigger: 'subjects_delete_children',
  queueTrigger: 'withdraw_queue_entries',
  books: 'delete_book_children',
  subjects: 'delete_subject_children',
  withdraw: 'withdraw_queue_entries',
  queue: 'moderation_queue',
  hidden: 'hidden',
  rejectAuditChange: 'reject_audit_log_change',
  auditMessage: 'the audit log is append-only',
};

const functionsOf = (names: Names): string => `
CREATE OR REPLACE FUNCTION ${names.books}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM book_tags WHERE book_id IN (SELECT id FROM ${names.deleted});
  DELETE FROM book_search WHERE book_id IN (SELECT id FROM ${names.deleted});
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION ${names.subjects}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subject_tags WHERE subject_id IN (SELECT id FROM ${names.deleted});
  DELETE FROM subject_search WHERE subject_id IN (SELECT id FROM ${names.deleted});
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION ${names.withdraw}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${names.queue} SET decision = 'withdrawn', decided_at = now()
  WHERE kind = TG_ARGV[0] AND decision IS NULL
    AND target_id IN (SELECT id FROM ${names.deleted} WHERE ${names.hidden});
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION ${names.rejectAuditChange}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '${names.auditMessage}';
END $$;
`;

interface DeleteTrigger {
  readonly trigger: string;
  readonly table: string;
  /** The call that it executes. */
  readonly call: string;
}

/** Triggers with a transition table, whose name cannot be changed. */
const deleteTriggers = (names: Names): readonly DeleteTrigger[] => [
  { trigger: names.booksTrigger, table: 'books', call: `${names.books}()` },
  { trigger: names.subjectsTrigger, table: 'subjects', call: `${names.subjects}()` },
  ...MODERATED.map(([table, kind]) => ({
    trigger: `${table}_${names.queueTrigger}`,
    table,
    call: `${names.withdraw}('${kind}')`,
  })),
];

const dropTriggers = (names: Names): string =>
  deleteTriggers(names)
    .map(({ trigger, table }) => `DROP TRIGGER ${trigger} ON ${table}`)
    .join(';\n');

const createTriggers = (names: Names): string =>
  deleteTriggers(names)
    .map(
      ({ trigger, table, call }) => `CREATE TRIGGER ${trigger} AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS ${names.deleted} FOR EACH STATEMENT EXECUTE FUNCTION ${call}`,
    )
    .join(';\n');
