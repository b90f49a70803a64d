import { byValue, type Condition } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';

/** Filters of lists of reports and of the moderation queue, which are open or decided. */
export const DECISION_FILTERS: Readonly<Record<'open' | 'state', Condition>> = {
  open: { sql: () => 'h.decision IS NULL', flag: true },
  state: byValue('decision'),
};

/** The values of these filters for a state. */
export const decisionFilters = (state: string): { open: boolean; state: string | undefined } =>
  state === 'open' ? { open: true, state: undefined } : { open: false, state };

/** Columns `created`, `state`, `decided` and `decided_by` of a row. */
export const decisionColumns = (row: string): string =>
  `${wireTime(`${row}.created_at`)} AS created, coalesce(${row}.decision, 'open') AS state,
  ${wireTime(`${row}.decided_at`)} AS decided, ${row}.decided_by`;

/** SQL: whether two reports or queue entries are about the same content. */
export const isSameContentSql = (one: string, other: string): string =>
  `${one}.kind = ${other}.kind AND ${one}.target_id = ${other}.target_id`;

/** SQL: whether the reporter of a decided report has reported the content again since. */
export const isReportedAgainSql = (row: string): string =>
  `EXISTS (SELECT 1 FROM reports again WHERE again.user_id = ${row}.user_id
     AND ${isSameContentSql('again', row)} AND again.decision IS NULL)`;

/**
 * SQL: whether the decision about a row can be undone: only the moderator who decided may do that,
 * and only within a minute.
 */
export const isUndoableSql = (row: string, by: string): string =>
  `${row}.decided_by = ${by} AND ${row}.decided_at > now() - interval '1 minute'`;

/**
 * SQL: whether a queue entry is the latest of its text: no later entry is open or was withdrawn, and
 * no other was decided after it, by whole seconds. An entry with a lower id can be decided later:
 * imports store open entries of visible texts.
 */
export const isLatestSql = (row: string): string =>
  `NOT EXISTS (SELECT 1 FROM moderation_queue o WHERE ${isSameContentSql('o', row)}
     AND (o.id > ${row}.id AND coalesce(o.decision, 'withdrawn') = 'withdrawn'
       OR o.decision <> 'withdrawn' AND (o.decided_at, o.id) > (${row}.decided_at, ${row}.id)))`;
