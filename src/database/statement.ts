/** A named statement, which each connection prepares once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Declares a named statement and removes its indentation. */
export const statement = (name: string, text: string): Statement => ({
  name,
  text: text.replace(/\s*\n\s*/g, ' ').trim(),
});

/** Runs statements: the pool, or one connection inside a transaction. */
export interface SqlExecutor {
  query<T>(what: Statement, values?: readonly unknown[]): Promise<T[]>;
}
