/** A statement with a name, so that each connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Declares a named statement; white space at line starts is only for the reader. */
export const statement = (name: string, text: string): Statement => ({
  name,
  text: text.replace(/\s*\n\s*/g, ' ').trim(),
});

/** Anything that runs statements: the pool, or one connection inside a transaction. */
export interface SqlExecutor {
  query<T>(what: Statement, values?: readonly unknown[]): Promise<T[]>;
}
