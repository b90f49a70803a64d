import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { isOutputClosed } from './closed-output';

/** Rows whose widths decide the columns of a table. */
const SAMPLE = 200;
const GAP = '  ';
/** Longest cell when the width of the terminal is unknown. */
const MAX_CELL = 60;
/** Texts are not shortened further: the terminal wraps the line then. */
const MIN_CELL = 8;

let jsonRequested = false;

/** Selects JSON also for a terminal, for `--json`. */
export function requestJson(requested: boolean): void {
  jsonRequested = requested;
}

const wantsTables = (): boolean => process.stdout.isTTY && !jsonRequested;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns of a terminal that a text takes: East Asian characters take two. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
};

/** Shortens a text to a width and fills it up with spaces. */
function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text + ' '.repeat(width - widthOf(text));
  let cut = '';
  let used = 0;
  for (const character of text) {
    const next = widthOf(character);
    if (used + next > width - 1) break;
    cut += character;
    used += next;
  }
  return `${cut}…${' '.repeat(width - used - 1)}`;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A value in one line, without characters that control the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isTexts(value)) return cell(value.join(', '));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // eslint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

const cellOf = (row: object, name: string): string => cell((row as Record<string, unknown>)[name]);

/** Values that are never truncated: numbers, days, times and client ids. */
const NEVER_TRUNCATED = /^(?:[\d\s.:TZ+-]*|[\da-f]{16,})$/;

/** Widths of the columns: the widest of the texts are shortened until the line fits. */
function columnWidths(names: readonly string[], rows: readonly object[]): number[] {
  const room = (process.stdout.columns || 120) - GAP.length * (names.length - 1);
  const columns = names.map((name) => rows.map((row) => cellOf(row, name)));
  const widths = columns.map((cells, at) =>
    Math.min(MAX_CELL * 2, Math.max(widthOf(names[at] ?? ''), ...cells.map(widthOf))),
  );
  const texts = names
    .map((_name, at) => at)
    .filter((at) => columns[at]?.some((text) => !NEVER_TRUNCATED.test(text)));
  const width = (at: number | undefined): number => (at === undefined ? 0 : (widths[at] ?? 0));
  while (widths.reduce((sum, one) => sum + one, 0) > room) {
    const widest = texts.reduce<number | undefined>(
      (best, at) => (width(at) > width(best) ? at : best),
      undefined,
    );
    if (widest === undefined || width(widest) <= MIN_CELL) break;
    widths[widest] = width(widest) - 1;
  }
  return widths;
}

/** Table lines of rows with the same members. */
class Table {
  private readonly names: readonly string[];
  private readonly widths: readonly number[];

  /** @param isComplete whether `sample` has all rows, so that its empty columns can be omitted */
  constructor(sample: readonly object[], isComplete: boolean) {
    const names = [...new Set(sample.flatMap((row) => Object.keys(row)))];
    this.names = isComplete
      ? names.filter((name) => sample.some((row) => cellOf(row, name) !== ''))
      : names;
    this.widths = columnWidths(this.names, sample);
  }

  heading(): string {
    return this.join(this.names.map((name) => name.toUpperCase()));
  }

  line(row: object): string {
    return this.join(this.names.map((name) => cellOf(row, name)));
  }

  private join(cells: readonly string[]): string {
    const fitted = cells.map((text, index) => fit(text, this.widths[index] ?? 0));
    return `${fitted.join(GAP).trimEnd()}\n`;
  }
}

/** Table with a heading and without empty columns, or `(none)` without rows. */
export function tableOf(rows: readonly object[]): string {
  if (rows.length === 0) return '(none)\n';
  const table = new Table(rows, true);
  return table.heading() + rows.map((row) => table.line(row)).join('');
}

const isRows = (value: unknown): value is object[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));

/** Members of an object in lines; lists of objects as tables below. */
export function linesOf(result: object): string {
  const members = Object.entries(result);
  const plain = members.filter(([, value]) => !isRows(value));
  const width = Math.max(0, ...plain.map(([name]) => widthOf(name)));
  const lines = plain.map(([name, value]) => `${fit(name, width)}${GAP}${cell(value)}`.trimEnd());
  const tables = members
    .filter(([, value]) => isRows(value))
    .map(([name, value]) => `\n${name}\n${tableOf(value as object[])}`);
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${tables.join('')}`;
}

/** Prints the result of a command to standard output: JSON, or lines on a terminal. */
export function print(result: unknown): void {
  const readable = wantsTables() && typeof result === 'object' && result !== null;
  process.stdout.write(readable ? linesOf(result) : `${JSON.stringify(result)}\n`);
}

/**
 * Prints all elements of a list as they are read: one JSON object per line, or a table on a
 * terminal.
 *
 * @param toTableRow selects the columns of the table; JSON output has all members
 */
export async function printAll<T extends object>(
  rows: AsyncIterable<T> | Iterable<T>,
  toTableRow: (row: T) => object = (row) => row,
): Promise<void> {
  if (wantsTables()) return printTable(rows, toTableRow);
  for await (const row of rows) {
    if (isOutputClosed()) return;
    process.stdout.write(`${JSON.stringify(row)}\n`);
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
}

async function printTable<T extends object>(
  rows: AsyncIterable<T> | Iterable<T>,
  toTableRow: (row: T) => object,
): Promise<void> {
  const sample: object[] = [];
  let table: Table | undefined;
  for await (const row of rows) {
    if (isOutputClosed()) return;
    if (table) {
      process.stdout.write(table.line(toTableRow(row)));
      continue;
    }
    sample.push(toTableRow(row));
    if (sample.length < SAMPLE) continue;
    table = new Table(sample, false);
    process.stdout.write(table.heading() + sample.map((one) => table?.line(one)).join(''));
  }
  if (!table) process.stdout.write(tableOf(sample));
}
