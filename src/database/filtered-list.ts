import { type Page, type PageQuery } from '../api/resources/page';
import { paginated, toPage, type PageRow } from './page-of';
import { statement, type SqlExecutor, type Statement } from './statement';

/** What a filter's condition is made of. */
export interface Condition {
  /** SQL about the row `h`; the parameters stand for the value, of a flag there are none. */
  readonly sql: (...parameters: string[]) => string;
  /** Makes several parameters of a value. */
  readonly values?: (value: unknown) => readonly [unknown, unknown];
  /** The value only says that the condition holds. */
  readonly flag?: boolean;
  /**
   * It finds few rows by an index that does not have them in the list's order. All of them are read
   * once: PostgreSQL would else hope to meet them soon while it walks over the whole list.
   */
  readonly few?: boolean;
}

/** A column that a list is ordered by. */
interface OrderColumn {
  readonly name: string;
  readonly type: string;
  /** Before the first row, in the list's direction. */
  readonly start: string;
}

const ID = { name: 'id', type: 'bigint' };
/** By id, from the first on. */
const ASCENDING: readonly OrderColumn[] = [{ ...ID, start: '-9223372036854775808' }];
/** By id, from the last on. */
const DESCENDING: readonly OrderColumn[] = [{ ...ID, start: '9223372036854775807' }];

/** How a list looks. */
export interface ListShape<Filter extends string> {
  /** What its statements are called. */
  readonly name: string;
  /** The table of the rows `h` that are listed. */
  readonly from: string;
  /** Holds for all of its rows. */
  readonly always?: string;
  readonly filters: Readonly<Record<Filter, Condition>>;
  readonly descending?: boolean;
  /** The order, if not by id alone; the last column is the id. */
  readonly order?: readonly OrderColumn[];
  /** What is shown of the row that `p` has the id of. */
  readonly columns: string;
  readonly joins: string;
}

/** Values by filter; one that is undefined does not choose. */
export type Wanted<Filter extends string> = Readonly<Partial<Record<Filter, unknown>>>;

/** Rows that a scan reads at once. */
const SCANNED = 500;

/**
 * A list with filters. Each combination of filters has a statement of its own, so that PostgreSQL can
 * use the index that it has for them: in a statement for all, "no filter, or this" uses none.
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
    const given = this.givenOf(wanted);
    const found = this.statementOf(`page ${given.join(' ')}`, () => this.pageSql(given));
    const values = [count, start, ...this.valuesOf(given, wanted)];
    return toPage(await executor.query<Row & PageRow>(found, values), start);
  }

  /** All of the list, in its order: each statement goes on after the last row of the one before. */
  async *scan(executor: SqlExecutor, wanted: Wanted<Filter>): AsyncGenerator<Row> {
    const given = this.givenOf(wanted);
    const next = this.statementOf(`scan ${given.join(' ')}`, () => this.scanSql(given));
    const values = this.valuesOf(given, wanted);
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

  private givenOf(wanted: Wanted<Filter>): readonly Filter[] {
    const all = Object.keys(this.shape.filters) as Filter[];
    return all.filter((name) => {
      const value = wanted[name];
      return this.shape.filters[name].flag === true ? value === true : value !== undefined;
    });
  }

  private valuesOf(given: readonly Filter[], wanted: Wanted<Filter>): unknown[] {
    return given.flatMap((name) => {
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

  /** The rows that have what is wanted. @param first number of the first filter's parameter */
  private matches(given: readonly Filter[], first: number): string {
    const { from, always = 'true', filters } = this.shape;
    let parameter = first;
    const conditions = given.map((name) => {
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

  private pageSql(given: readonly Filter[]): string {
    return paginated({
      hits: this.matches(given, 3),
      inOrder: !given.some((name) => this.shape.filters[name].few === true),
      key: 'id',
      order: this.order.map(({ name }) => `${name}${this.direction}`),
      columns: this.shape.columns,
      joins: this.shape.joins,
      limit: ['$1', '$2'],
    });
  }

  private scanSql(given: readonly Filter[]): string {
    const { columns, joins, descending } = this.shape;
    const names = this.order.map(({ name }) => name);
    const after = this.order.map(({ type }, at) => `$${at + 2}::${type}`);
    const order = (alias: string): string =>
      names.map((name) => `${alias}.${name}${this.direction}`).join(', ');
    return `
      SELECT array_to_json(ARRAY[${names.map((name) => `p.${name}::text`).join(', ')}])
        AS list_cursor, ${columns}
      FROM (
        ${this.matches(given, after.length + 2)}
          AND (${names.map((name) => `h.${name}`).join(', ')})
            ${descending === true ? '<' : '>'} (${after.join(', ')})
        ORDER BY ${order('h')} LIMIT $1
      ) p ${joins} ORDER BY ${order('p')}`;
  }
}

/** SQL: whether a text has a part, whatever the case. */
export const contains = (text: string, part: string): string =>
  `strpos(lower(${text}), lower(${part})) > 0`;

/** The same by an index on `text_pairs` of the text, which holds its first thousand characters. */
export const hasPart = (text: string, part: string): string =>
  `text_pairs(${text}) @> text_pairs_of_part(${part}) AND ${contains(text, part)}`;

/** Chooses rows of which a text has a part. */
export const byPart = (text: string): Condition => ({
  sql: (part = '') => hasPart(text, part),
  few: true,
});

/** Chooses rows with a value in a column that has an index in the list's order. */
export const byValue = (column: string): Condition => ({
  sql: (value = '') => `h.${column} = ${value}`,
});
