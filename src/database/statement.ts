/** A named statement, which each connection prepares once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether it is `COPY ... FROM STDIN`; its only value is then the `CopyRows`. */
  readonly copiesIn?: boolean;
  /** Set by `preferringPrimary`. */
  readonly prefersPrimary?: boolean;
}

/** Declares a named statement and removes its indentation. */
export const statement = (name: string, text: string): Statement => ({
  name,
  text: text.replace(/\s*\n\s*/g, ' ').trim(),
});

/** Declares a COPY into columns of a table, for large numbers of new rows. */
export const copyStatement = (
  name: string,
  table: string,
  columns: readonly string[],
): Statement => ({
  name,
  text: `COPY ${table} (${columns.join(', ')}) FROM STDIN`,
  copiesIn: true,
});

/** Runs statements: the pool, or one connection inside a transaction. */
export interface SqlExecutor {
  query<T>(what: Statement, values?: readonly unknown[]): Promise<T[]>;
}
