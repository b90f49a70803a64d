import { type SqlExecutor, type Statement } from './database';

/** Stored counters that differ from the rows that they count. */
export interface CountDrift {
  readonly what: string;
  readonly stored: number;
  readonly counted: number;
}

/**
 * SQL that removes responses with repaired counters from memory, which no trigger does. The query
 * `repaired` returns a row for each counter.
 *
 * @param groups the groups of content keys whose responses have the counters
 */
export const logChangeSql = (...groups: readonly ('collection' | 'movies' | 'texts')[]): string =>
  `INSERT INTO content_changes (keys) SELECT '{${groups.join(',')}}' FROM repaired LIMIT 1`;

/**
 * Makes a function that compares stored counters with the rows, repairs differences on request, and
 * returns them.
 *
 * @param drift returns the differences
 * @param repair compares and repairs in one statement, so that it sees the counters and the rows of
 *   one moment, also beside concurrent writers
 */
export const countCheck =
  <T extends CountDrift>(drift: Statement, repair: Statement) =>
  async (database: SqlExecutor, options: { readonly repair: boolean }): Promise<T[]> => {
    const found = await database.query<T>(drift);
    if (options.repair && found.length > 0) await database.query(repair);
    return found;
  };
