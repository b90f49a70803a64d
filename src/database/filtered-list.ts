import { type Page, type PageQuery } from '../api/resources/page';
import { paginated, toPage, type PageRow } from './page-of';
import { statement, type SqlExecutor, type Statement } from './statement';

/** The condition of a filter. */
export interface Condition {
  /** SQL on the row `h`; the parameters contain the value. A flag has none. */
  readonly sql: (...parameters: string[]) => string;
  /** Converts a value to several parameters. */
  readonly values?: (value: unknown) => readonly [unknown, unknown];
  /** Whether the filter has no value, only a condition. */
  readonly flag?: boolean;
  /**
   * Whether it matches few rows through an index in another order than the list. Then all matches
   * are read first; otherwise PostgreSQL might scan the whole list in its order to find them.
   */
  readonly few?: boolean;
}

/** A sort column of a list. */
interface OrderColumn {
  readonly name: string;
  readonly type: string;
  /** A value before the first row, in the list's direction. */
  readonly start: string;
}

const ID = { name: 'id', type: 'bigint' };
/** By id, ascending. */
const ASCENDING: readonly OrderColumn[] = [{ ...ID, start: '-9223372036854775808' }];
/** By id, descending. */
const DESCENDING: readonly OrderColumn[] = [{ ...ID, start: '9223372036854775807' }];

/** The definition of a list. */
export interface ListShape<Filter extends string> {
  /** Name of its statements. */
  readonly name: string;
  /** The table of the listed rows `h`. */
  readonly from: string;
  /** A condition of all its rows. */
  readonly always?: string;
  readonly filters: Readonly<Record<Filter, Condition>>;
  readonly descending?: boolean;
  /** The sort columns, default is the id; the last column is the id. */
  readonly order?: readonly OrderColumn[];
  /** The selected columns of the row with the id of `p`. */
  readonly columns: string;
  readonly joins: string;
}

/** Values by filter; undefined disables a filter. */
export type Wanted<Filter extends string> = Readonly<Partial<Record<Filter, unknown>>>;

/** Number of rows that one statement of a scan reads. */
const SCANNED = 500;

/**
 * A list with filters. Each combination of filters has its own statement, so that PostgreSQL can
 * use indexes: a single statement with optional conditions would use none.
 */
export class FilteredList<Filter extends string, Row extends object> {
  private readonly statements = new Map<string, Statement>();
  private readonly order: readonly OrderColumn[];

  constructor(private readonly shape: ListShape<Filter>) {
    this.order = shape.order ?? (shape.descending === true ? DESCENDING : ASCENDING);
  }

  /** A page of the list with the exact total (D2), in one statement. */
  async page(
    executor: SqlExecutor,
    wanted: Wanted<Filter>,
    { start, count }: PageQuery,
  ): Promise<Page<Row>> {
    const active = this.activeOf(wanted);
    const found = this.statementOf(`page ${active.join(' ')}`, () => this.pageSql(active));
    const values = [count, start, ...this.valuesOf(active, wanted)];
    return toPage(await executor.query<Row & PageRow>(found, values), start);
  }

  /**
   * The complete list in order: each statement continues after the last row of the previous one.
   */
  async *scan(executor: SqlExecutor, wanted: Wanted<Filter>): AsyncGenerator<Row> {
    const active = this.activeOf(wanted);
    const next = this.statementOf(`scan ${active.join(' ')}`, () => this.scanSql(active));
    const values = this.valuesOf(active, wanted);
    let after: readonly string[] = this.order.map(({ start }) => start);
    for (;;) {
      const parameters = [SCANNED, ...after, ...values];
      const rows = await executor.query<Row & { list_cursor: string[] }>(next, parameters);
      for (const { list_cursor, ...row } of rows) {
        after = list_cursor;
        yield row as unknown as Row;
      }
      if (rows.length < SCANNED) return;
    }
  }

  private activeOf(wanted: Wanted<Filter>): readonly Filter[] {
    const all = Object.keys(this.shape.filters) as Filter[];
    return all.filter((name) => {
      const value = wanted[name];
      return this.shape.filters[name].flag === true ? value === true : value !== undefined;
    });
  }

  private valuesOf(active: readonly Filter[], wanted: Wanted<Filter>): unknown[] {
    return active.flatMap((name) => {
      const { flag, values } = this.shape.filters[name];
      if (flag === true) return [];
      return values ? values(wanted[name]) : [wanted[name]];
    });
  }

  private statementOf(key: string, sql: () => string): Statement {
    let found = this.statements.get(key);
    if (!found) {
      found = statement(`${this.shape.name} ${key}`.trim().replaceAll(' ', '_'), sql());
      this.statements.set(key, found);
    }
    return found;
  }

  /** SQL of the matching rows. @param first number of the first filter's parameter */
  private matches(active: readonly Filter[], first: number): string {
    const { from, always = 'true', filters } = this.shape;
    let parameter = first;
    const conditions = active.map((name) => {
      const { sql, flag, values } = filters[name];
      const parameters = Array.from(
        { length: flag === true ? 0 : values ? 2 : 1 },
        () => `$${parameter++}`,
      );
      return `(${sql(...parameters)})`;
    });
    const columns = this.order.map(({ name }) => `h.${name}`).join(', ');
    return `SELECT ${columns} FROM ${from} WHERE ${[`(${always})`, ...conditions].join(' AND ')}`;
  }

  private get direction(): string {
    return this.shape.descending === true ? ' DESC' : '';
  }

  private pageSql(active: readonly Filter[]): string {
    return paginated({
      hits: this.matches(active, 3),
      inOrder: !active.some((name) => this.shape.filters[name].few === true),
      key: 'id',
      order: this.order.map(({ name }) => `${name}${this.direction}`),
      columns: this.shape.columns,
      joins: this.shape.joins,
      limit: ['$1', '$2'],
    });
  }

  private scanSql(active: readonly Filter[]): string {
    const { columns, joins, descending } = this.shape;
    const names = this.order.map(({ name }) => name);
    const after = this.order.map(({ type }, at) => `$${at + 2}::${type}`);
    const order = (alias: string): string =>
      names.map((name) => `${alias}.${name}${this.direction}`).join(', ');
    return `
      SELECT array_to_json(ARRAY[${names.map((name) => `p.${name}::text`).join(', ')}])
        AS list_cursor, ${columns}
      FROM (
        ${this.matches(active, after.length + 2)}
          AND (${names.map((name) => `h.${name}`).join(', ')})
            ${descending === true ? '<' : '>'} (${after.join(', ')})
        ORDER BY ${order('h')} LIMIT $1
      ) p ${joins} ORDER BY ${order('p')}`;
  }
}

/** SQL: whether a text contains a part, case-insensitive. */
export const contains = (text: string, part: string): string =>
  `strpos(lower(${text}), lower(${part})) > 0`;

/** The same through an index on `text_ngrams`, which covers the first thousand characters. */
export const hasPart = (text: string, part: string): string =>
  `text_ngrams(${text}) @> query_ngrams(${part}) AND ${contains(text, part)}`;

/** Selects rows with a text that contains a part. */
export const byPart = (text: string): Condition => ({
  sql: (part = '') => hasPart(text, part),
  few: true,
});

/** Selects rows by the value of a column that has an index in the list's order. */
export const byValue = (column: string): Condition => ({
  sql: (value = '') => `h.${column} = ${value}`,
});
