import { recordTime } from './record-time';
import { NO_SORT_ORDER } from './record';

/** Type of a column. With a question mark the column is nullable, and null means not specified. */
export type ColumnType =
  | 'text'
  | 'text?'
  | 'text[]'
  | 'integer'
  | 'integer?'
  | 'smallint'
  | 'smallint?'
  | 'bigint'
  | 'bigint?'
  | 'boolean'
  | 'numeric'
  | 'sort_order'
  | 'timestamptz?';

/** Values of omitted fields by type; null for nullable columns. */
export const BLANK: Readonly<Record<string, unknown>> = {
  text: '',
  'text[]': [],
  integer: 0,
  smallint: 0,
  bigint: 0,
  boolean: false,
  numeric: 0,
  sort_order: NO_SORT_ORDER,
};

/** The same in SQL, for columns without null. */
export const SQL_BLANK: Readonly<Record<string, string>> = {
  text: `''`,
  'text[]': `'{}'`,
  integer: '0',
  smallint: '0',
  bigint: '0',
  boolean: 'false',
  numeric: '0',
  sort_order: String(NO_SORT_ORDER),
};

/** The name of a type in SQL. */
export const sqlType = (type: ColumnType): string =>
  type === 'sort_order' ? 'smallint' : type.replace('?', '');

/** SQL of the value of a column of the row `t`. */
export const readAs = (column: string, type: ColumnType): string => {
  if (type === 'text[]') return `array_to_json(t.${column}) AS ${column}`;
  if (type.startsWith('bigint') || type === 'numeric') return `t.${column}::float8 AS ${column}`;
  if (type === 'timestamptz?') return `${recordTime(`t.${column}`)} AS ${column}`;
  return `t.${column}`;
};
