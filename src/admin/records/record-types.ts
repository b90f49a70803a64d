import {
  byPart,
  contains,
  FilteredList,
  hasPart,
  type Condition,
} from '../../database/filtered-list';
import { wireTime } from '../../database/wire-time';
import { searchQuery } from '../../text/terms';
import { type Table } from '../../import-export/engine/sequences';

/** Filter of record lists: visible records, soft-deleted records, or placeholders. */
export const RECORD_STATES = ['visible', 'deleted', 'placeholder'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** A record in lists. */
export interface RecordRow {
  readonly id: string;
  readonly title: string;
  readonly state: RecordState;
  readonly deleted: string | null;
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
  /** Whether rows are deleted for good, so that the table has no deletion time. */
  readonly hardDeleted?: boolean;
}

/** A kind of record that administrators edit, with its lists. */
export interface RecordType {
  /** Path segment, and member of lists. */
  readonly name: string;
  readonly kind: string;
  readonly list: Readonly<Record<RecordState, FilteredList<'q', RecordRow>>>;
}

function recordType(name: string, shape: Shape): RecordType {
  const { kind, table, title, states, search, hardDeleted = false } = shape;
  const listOf = (state: RecordState) =>
    new FilteredList<'q', RecordRow>({
      name: `admin.${name}_${state}`,
      from: `${table} h`,
      always: states[state],
      filters: { q: search },
      columns: `t.id::text AS id, t.${title} AS title, '${state}' AS state,
        ${hardDeleted ? 'NULL' : wireTime('t.deleted_at')} AS deleted`,
      joins: `LEFT JOIN ${table} t ON t.id = p.id`,
    });
  return {
    name,
    kind,
    list: {
      visible: listOf('visible'),
      deleted: listOf('deleted'),
      placeholder: listOf('placeholder'),
    },
  };
}

/** Conditions for tables in which placeholders have no title. */
const byTitle = (title: string): Shape['states'] => ({
  visible: `${title} <> '' AND deleted_at IS NULL`,
  deleted: 'deleted_at IS NOT NULL',
  placeholder: `${title} = '' AND deleted_at IS NULL`,
});

/** Conditions for tables with a placeholder column. */
const BY_PLACEHOLDER: Shape['states'] = {
  visible: 'NOT placeholder AND deleted_at IS NULL',
  deleted: 'deleted_at IS NOT NULL',
  placeholder: 'placeholder AND deleted_at IS NULL',
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
  states: BY_PLACEHOLDER,
  search: bySearchTexts('books', 'book', `(o.kind <> 'book' OR o.placeholder) AND o.title <> ''`),
});

export const SUBJECTS = recordType('subjects', {
  kind: 'movie',
  table: 'subjects',
  title: 'title',
  states: byTitle('title'),
  search: bySearchTexts('subjects', 'subject', 'o.deleted_at IS NOT NULL'),
});

export const CELEBRITIES = recordType('celebrities', {
  kind: 'celebrity',
  table: 'celebrities',
  title: 'name',
  states: byTitle('name'),
  search: byPart('h.name'),
});

export const EVENTS = recordType('events', {
  kind: 'event',
  table: 'events',
  title: 'title',
  states: {
    visible: 'deleted_at IS NULL',
    deleted: 'deleted_at IS NOT NULL',
    placeholder: 'false',
  },
  search: byPart('h.title'),
});

export const LOCS = recordType('locs', {
  kind: 'loc',
  table: 'cities',
  title: 'name',
  states: BY_PLACEHOLDER,
  search: { sql: (part = '') => contains('h.name', part) },
});

/**
 * Photos have no placeholders, reviews or comments: the row is deleted and its album renumbered.
 */
export const PHOTOS = recordType('photos', {
  kind: 'photo',
  table: 'photos',
  title: 'description',
  states: { visible: 'true', deleted: 'false', placeholder: 'false' },
  search: {
    sql: (part = '') => `h.description <> '' AND ${hasPart('h.description', part)}`,
    few: true,
  },
  hardDeleted: true,
});

/** All kinds of records that administrators edit. */
export const RECORD_TYPES = [BOOKS, SUBJECTS, CELEBRITIES, PHOTOS, EVENTS, LOCS] as const;
