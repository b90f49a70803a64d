import { type Maker } from '../../../src/import-export/synthetic/synthetic';
import { type Catalogue } from './catalogue';

/** Values of a row, as COPY takes them. */
export type Row = (string | number | null)[];

/** Rows of a table that are generated together. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: (catalogue: Catalogue) => Generator<Row>;
}

/** A random element. */
export const pick = <T>(make: Maker, all: readonly T[]): T => all[make.below(all.length)] as T;

/** A number with two digits. */
export const two = (value: number): string => String(value).padStart(2, '0');

/** A random time in some years. */
export const moment = (make: Maker, year: number, years: number): string =>
  `${year + make.below(years)}-${two(1 + make.below(12))}-${two(1 + make.below(28))} ${two(make.below(24))}:00:00+08`;

/** Rows by their number. */
export function* count(rows: number, row: (at: number) => Row): Generator<Row> {
  for (let at = 0; at < rows; at += 1) yield row(at);
}

/** A table with its columns, separated by spaces. */
export const table = (
  name: string,
  columns: string,
  rowsOf: (catalogue: Catalogue) => Generator<Row>,
): TableRows => ({ table: name, columns: columns.split(' '), rows: rowsOf });

/** Owner of a row of a list: the first has the large list, the others share the rest. */
export const ownerOf = (at: number, large: number, owners: number): number =>
  at < large ? 0 : 1 + ((at - large) % (owners - 1));
