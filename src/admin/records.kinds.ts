import { statement, type Statement } from '../database/database';
import { pageOf } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { CONCEAL } from '../transfer/removal';
import { type Table } from '../transfer/sequences';

/** How records are chosen for a list: what is shown, what was removed, what is known by name alone. */
export const RECORD_STATES = ['shown', 'removed', 'stub'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

interface Shape {
  /** Kind of the importer that reads and writes it. */
  readonly kind: string;
  readonly table: Table;
  /** Column that says what it is. */
  readonly title: string;
  /** SQL that says which rows have a state. */
  readonly states: Readonly<Record<RecordState, string>>;
  /** What is done to rows that are removed: their ids are parameter 1. */
  readonly remove: readonly string[];
  /** Brings a removed row back; returns a row when there was one. */
  readonly restore?: string;
}

/** A kind of thing that administrators write, with its statements. */
export interface RecordKind {
  /** Segment of its paths, and member of its lists. */
  readonly name: string;
  readonly kind: string;
  readonly list: Readonly<Record<RecordState, Statement>>;
  readonly nextId: Statement;
  readonly remove: readonly Statement[];
  readonly restore: Statement | undefined;
  readonly wasRemoved: Statement | undefined;
}

function recordKind(
  name: string,
  { kind, table, title, states, remove, restore }: Shape,
): RecordKind {
  const removable = restore !== undefined;
  const listOf = (state: RecordState): Statement =>
    statement(
      `admin.${name}_${state}`,
      pageOf({
        hits: `SELECT id FROM ${table} WHERE (${states[state]})
          AND ($3::text IS NULL OR strpos(lower(${title}), lower($3)) > 0)`,
        key: 'id',
        order: ['id'],
        columns: `t.id::text AS id, t.${title} AS title, '${state}' AS state,
          ${removable ? wireTime('t.removed_at') : 'NULL'} AS removed`,
        joins: `LEFT JOIN ${table} t ON t.id = p.id`,
        limit: ['$1', '$2'],
      }),
    );
  return {
    name,
    kind,
    list: { shown: listOf('shown'), removed: listOf('removed'), stub: listOf('stub') },
    nextId: statement(
      `admin.next_id_of_${name}`,
      `SELECT nextval('${table}_id_seq')::float8 AS id`,
    ),
    remove: remove.map((sql, at) => statement(`admin.remove_${name}_${at}`, sql)),
    restore: restore === undefined ? undefined : statement(`admin.restore_${name}`, restore),
    wasRemoved: removable
      ? statement(
          `admin.was_removed_${name}`,
          `SELECT ${wireTime('removed_at')} AS removed FROM ${table}
           WHERE id = $1 AND removed_at IS NOT NULL`,
        )
      : undefined,
  };
}

const NOW = `date_trunc('second', now())`;
/** Marks rows as removed, with what goes with that. */
const mark = (table: string): readonly string[] => [
  `UPDATE ${table} SET removed_at = ${NOW} WHERE id = ANY($1::bigint[])`,
  ...(CONCEAL[table] ?? []),
];
const unmark = (table: string, more = ''): string =>
  `UPDATE ${table} SET removed_at = NULL${more} WHERE id = $1 AND removed_at IS NOT NULL RETURNING 1`;

/** States of what has a title unless only its id is known. */
const byTitle = (title: string): Shape['states'] => ({
  shown: `${title} <> '' AND removed_at IS NULL`,
  removed: 'removed_at IS NOT NULL',
  stub: `${title} = '' AND removed_at IS NULL`,
});

/** States of what says itself whether it is a stub. */
const BY_STUB: Shape['states'] = {
  shown: 'NOT stub AND removed_at IS NULL',
  removed: 'removed_at IS NOT NULL',
  stub: 'stub AND removed_at IS NULL',
};

export const BOOKS = recordKind('books', {
  kind: 'book',
  table: 'books',
  title: 'title',
  states: BY_STUB,
  remove: mark('books'),
  restore: unmark('books', ', stub = false'),
});

export const SUBJECTS = recordKind('subjects', {
  kind: 'movie',
  table: 'subjects',
  title: 'title',
  states: byTitle('title'),
  remove: mark('subjects'),
  restore: unmark('subjects'),
});

export const CELEBRITIES = recordKind('celebrities', {
  kind: 'celebrity',
  table: 'celebrities',
  title: 'name',
  states: byTitle('name'),
  remove: mark('celebrities'),
  restore: unmark('celebrities'),
});

export const EVENTS = recordKind('events', {
  kind: 'event',
  table: 'events',
  title: 'title',
  states: { shown: 'removed_at IS NULL', removed: 'removed_at IS NOT NULL', stub: 'false' },
  remove: mark('events'),
  restore: unmark('events'),
});

export const LOCS = recordKind('locs', {
  kind: 'loc',
  table: 'cities',
  title: 'name',
  states: BY_STUB,
  remove: mark('cities'),
  restore: unmark('cities'),
});

/** Nobody writes about a photo here: it goes, and the others of its album close up. */
export const PHOTOS = recordKind('photos', {
  kind: 'photo',
  table: 'photos',
  title: 'description',
  states: { shown: 'true', removed: 'false', stub: 'false' },
  remove: ['DELETE FROM photos WHERE id = ANY($1::bigint[])'],
});
