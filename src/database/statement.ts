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

/** A statement with its values. */
export type BoundStatement = readonly [what: Statement, values?: readonly unknown[]];

/** The rows of several statements, whose types are `R`. */
export type RowsOf<R extends readonly unknown[]> = { readonly [K in keyof R]: R[K][] };

/** Statements with rows of the types `R`. */
export type BoundStatements<R extends readonly unknown[]> = {
  readonly [K in keyof R]: BoundStatement;
};

/** Runs the statements of a transaction. */
export interface TransactionExecutor extends SqlExecutor {
  /**
   * Runs statements in one round trip. After an error none of the others runs.
   *
   * @returns the rows of each statement
   */
  queryAll<R extends readonly unknown[]>(...statements: BoundStatements<R>): Promise<RowsOf<R>>;
  /**
   * Runs the last statements of the transaction and commits, in one round trip. Nothing may follow.
   * They should be short reads: if the connection is lost while they run, the outcome is unknown.
   *
   * @returns the rows of each statement
   * @throws errors of the statements, after which nothing is committed
   */
  finish<R extends readonly unknown[]>(...last: BoundStatements<R>): Promise<RowsOf<R>>;
}

/** Ends a transaction with a read of one row. */
export async function finishWith<T>(
  executor: TransactionExecutor,
  what: Statement,
  values: readonly unknown[],
): Promise<T> {
  const [[row]] = await executor.finish<[T]>([what, values]);
  return row as T;
}
