import { statement, type Statement } from '../../database/database';
import {
  byPart,
  contains,
  FilteredList,
  hasPart,
  type Condition,
} from '../../database/filtered-list';
import { wireTime } from '../../database/wire-time';
import { searchQuery } from '../../text/terms';
import { ON_SOFT_DELETE } from '../../import-export/engine/soft-delete';
import { type Table } from '../../import-export/engine/sequences';

/** Filter of record lists: visible records, soft-deleted records, or placeholders. */
export const RECORD_STATES = ['shown', 'removed', 'stub'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** A record in lists. */
export interface RecordRow {
  readonly id: string;
  readonly title: string;
  readonly state: RecordState;
  readonly removed: string | null;
}

interface Shape {
  /** Kind of its record handler. */
  readonly kind: string;
  readonly table: Table;
  /** Column with its title. */
  readonly title: string;
  /** SQL condition for each state. */
  readonly states: Readonly<Record<RecordState, string>>;
  /** Filters by a part of the title. */
  readonly search: Condition;
  /** Statements that run when rows are deleted; parameter 1 has their ids. */
  readonly remove: readonly string[];
  /** Restores a soft-deleted row; returns a row if there was one. */
  readonly restore?: string;
}

/** A kind of record that administrators edit, with its statements. */
export interface RecordType {
  /** Path segment, and member of lists. */
  readonly name: string;
  readonly kind: string;
  readonly list: Readonly<Record<RecordState, FilteredList<'q', RecordRow>>>;
  readonly nextId: Statement;
  readonly remove: readonly Statement[];
  readonly restore: Statement | undefined;
  readonly wasRemoved: Statement | undefined;
}

function recordType(
  name: string,
  { kind, table, title, states, search, remove, restore }: Shape,
): RecordType {
  const removable = restore !== undefined;
  const listOf = (state: RecordState) =>
    new FilteredList<'q', RecordRow>({
      name: `admin.${name}_${state}`,
      from: `${table} h`,
      always: states[state],
      filters: { q: search },
      columns: `t.id::text AS id, t.${title} AS title, '${state}' AS state,
        ${removable ? wireTime('t.removed_at') : 'NULL'} AS removed`,
      joins: `LEFT JOIN ${table} t ON t.id = p.id`,
    });
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
/** Sets the soft-delete time and runs the statements that belong to it. */
const mark = (table: string): readonly string[] => [
  `UPDATE ${table} SET removed_at = ${NOW} WHERE id = ANY($1::bigint[])`,
  ...(ON_SOFT_DELETE[table] ?? []),
];
const unmark = (table: string, more = ''): string =>
  `UPDATE ${table} SET removed_at = NULL${more} WHERE id = $1 AND removed_at IS NOT NULL RETURNING 1`;

/** Conditions for tables in which placeholders have no title. */
const byTitle = (title: string): Shape['states'] => ({
  shown: `${title} <> '' AND removed_at IS NULL`,
  removed: 'removed_at IS NOT NULL',
  stub: `${title} = '' AND removed_at IS NULL`,
});

/** Conditions for tables with a placeholder column. */
const BY_STUB: Shape['states'] = {
  shown: 'NOT stub AND removed_at IS NULL',
  removed: 'removed_at IS NOT NULL',
  stub: 'stub AND removed_at IS NULL',
};

/**
 * Filters by search text, and by title for rows without one.
 * @param texts the table of search texts and its key
 * @param others SQL condition for rows `o` without a search text, as in their index
 */
const bySearchTexts = (table: string, texts: string, others: string): Condition => ({
  sql: (part = '', terms = '') => `${contains('h.title', part)} AND h.id IN (
    SELECT s.${texts}_id FROM ${texts}_search s WHERE s.terms @@ ${terms}::tsquery
    UNION ALL SELECT o.id FROM ${table} o WHERE ${others} AND ${hasPart('o.title', part)})`,
  values: (q) => [q, searchQuery(String(q))?.tsquery ?? ''],
  few: true,
});

export const BOOKS = recordType('books', {
  kind: 'book',
  table: 'books',
  title: 'title',
  states: BY_STUB,
  search: bySearchTexts('books', 'book', `(o.kind <> 'book' OR o.stub) AND o.title <> ''`),
  remove: mark('books'),
  restore: unmark('books', ', stub = false'),
});

export const SUBJECTS = recordType('subjects', {
  kind: 'movie',
  table: 'subjects',
  title: 'title',
  states: byTitle('title'),
  search: bySearchTexts('subjects', 'subject', 'o.removed_at IS NOT NULL'),
  remove: mark('subjects'),
  restore: unmark('subjects'),
});

export const CELEBRITIES = recordType('celebrities', {
  kind: 'celebrity',
  table: 'celebrities',
  title: 'name',
  states: byTitle('name'),
  search: byPart('h.name'),
  remove: mark('celebrities'),
  restore: unmark('celebrities'),
});

export const EVENTS = recordType('events', {
  kind: 'event',
  table: 'events',
  title: 'title',
  states: { shown: 'removed_at IS NULL', removed: 'removed_at IS NOT NULL', stub: 'false' },
  search: byPart('h.title'),
  remove: mark('events'),
  restore: unmark('events'),
});

export const LOCS = recordType('locs', {
  kind: 'loc',
  table: 'cities',
  title: 'name',
  states: BY_STUB,
  search: { sql: (part = '') => contains('h.name', part) },
  remove: mark('cities'),
  restore: unmark('cities'),
});

/**
 * Photos have no placeholders, reviews or comments: the row is deleted and its album renumbered.
 */
export const PHOTOS = recordType('photos', {
  kind: 'photo',
  table: 'photos',
  title: 'description',
  states: { shown: 'true', removed: 'false', stub: 'false' },
  search: {
    sql: (part = '') => `h.description <> '' AND ${hasPart('h.description', part)}`,
    few: true,
  },
  remove: ['DELETE FROM photos WHERE id = ANY($1::bigint[])'],
});
