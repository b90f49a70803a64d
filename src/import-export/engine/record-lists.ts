import { contains, FilteredList, hasPart, type Condition } from '../../database/filtered-list';
import { wireTime } from '../../database/wire-time';
import { searchQuery } from '../../text/terms';
import { type Table } from './sequences';

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

/** How the records of a table are listed. */
interface ListedRecords {
  /** Column with the title. */
  readonly title: string;
  /** SQL condition for each state. */
  readonly states: Readonly<Record<RecordState, string>>;
  /** Filters by a part of the title. */
  readonly search: Condition;
  /** Whether rows are deleted for good, so that the table has no deletion time. */
  readonly hardDeleted?: boolean;
}

/** Lists of the records of a table by state, filtered by a part of the title. */
export type RecordLists = Readonly<Record<RecordState, FilteredList<'q', RecordRow>>>;

/** Makes the lists of a table. */
export function recordLists(table: Table, listed: ListedRecords): RecordLists {
  const { title, states, search, hardDeleted = false } = listed;
  const listOf = (state: RecordState) =>
    new FilteredList<'q', RecordRow>({
      name: `records.${table}_${state}`,
      from: `${table} h`,
      always: states[state],
      filters: { q: search },
      columns: `t.id::text AS id, t.${title} AS title, '${state}' AS state,
        ${hardDeleted ? 'NULL' : wireTime('t.deleted_at')} AS deleted`,
      joins: `LEFT JOIN ${table} t ON t.id = p.id`,
    });
  return {
    visible: listOf('visible'),
    deleted: listOf('deleted'),
    placeholder: listOf('placeholder'),
  };
}

/** Conditions for tables in which placeholders have no title. */
export const byTitle = (title: string): ListedRecords['states'] => ({
  visible: `${title} <> '' AND deleted_at IS NULL`,
  deleted: 'deleted_at IS NOT NULL',
  placeholder: `${title} = '' AND deleted_at IS NULL`,
});

/** Conditions for tables with a placeholder column. */
export const BY_PLACEHOLDER: ListedRecords['states'] = {
  visible: 'NOT placeholder AND deleted_at IS NULL',
  deleted: 'deleted_at IS NOT NULL',
  placeholder: 'placeholder AND deleted_at IS NULL',
};

/**
 * Filters by search text, and by title for rows without one.
 * @param texts the table of search texts and its key
 * @param others SQL condition for rows `o` without a search text, as in their index
 */
export const bySearchTexts = (table: string, texts: string, others: string): Condition => ({
  sql: (part = '', terms = '') => `${contains('h.title', part)} AND h.id IN (
    SELECT s.${texts}_id FROM ${texts}_search s WHERE s.terms @@ ${terms}::tsquery
    UNION ALL SELECT o.id FROM ${table} o WHERE ${others} AND ${hasPart('o.title', part)})`,
  values: (q) => [q, searchQuery(String(q))?.tsquery ?? ''],
  few: true,
});
