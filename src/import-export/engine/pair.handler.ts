import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { recordTime } from './record-time';
import { StoredHandler } from './stored.handler';

/** A table of pairs of ids with the time of their creation. */
interface PairTable<R> {
  readonly table: string;
  readonly columns: readonly [first: keyof R & string, second: keyof R & string];
  /**
   * SQL of the next ids of the first column after `$1`, ascending; together they should have about
   * `$2` pairs. By default `$2` ids.
   */
  readonly nextIds?: string;
}

/** Base class for handlers of pairs of ids, such as friendships. The pair is the key. */
export abstract class PairHandler<
  R extends { readonly created: string | undefined },
> extends StoredHandler<R> {
  protected readonly loadRows: Statement;
  protected readonly rowsAfter: Statement;
  protected override readonly omissible = ['created'] as const;
  private readonly put: Statement;

  constructor(private readonly pairs: PairTable<R>) {
    super();
    const { table, columns } = pairs;
    const [first, second] = columns;
    const selected = `t.${first}::float8 AS ${first}, t.${second}::float8 AS ${second},
      ${recordTime('t.created_at')} AS created`;
    const recordset = `json_to_recordset($1::json)
      AS r(${first} bigint, ${second} bigint, created timestamptz)`;
    const nextIds =
      pairs.nextIds ??
      `SELECT DISTINCT ${first} FROM ${table} WHERE ${first} > $1 ORDER BY ${first} LIMIT $2`;
    this.loadRows = statement(
      `import_export.${table}`,
      `SELECT ${selected} FROM ${table} t
       JOIN ${recordset} ON r.${first} = t.${first} AND r.${second} = t.${second}`,
    );
    // Reads all pairs of a first id at once, because pairs have no id to continue from.
    this.rowsAfter = statement(
      `import_export.${table}_after`,
      `SELECT ${selected} FROM ${table} t WHERE t.${first} IN (${nextIds})
       ORDER BY t.${first}, t.${second}`,
    );
    this.put = statement(
      `import_export.write_${table}`,
      `INSERT INTO ${table} (${first}, ${second}, created_at)
       SELECT r.${first}, r.${second}, coalesce(r.created, date_trunc('second', now()))
       FROM ${recordset} ORDER BY r.${first}, r.${second}
       ON CONFLICT (${first}, ${second}) DO UPDATE SET created_at = EXCLUDED.created_at`,
    );
  }

  protected override loadValues(records: readonly R[]): readonly unknown[] {
    return [JSON.stringify(records)];
  }

  protected override idOf(record: R): number {
    return Number(record[this.pairs.columns[0]]);
  }

  override key(record: R): string {
    return this.pairs.columns.map((column) => String(record[column])).join('-');
  }

  async write(executor: SqlExecutor, records: readonly R[]): Promise<void> {
    await executor.query(this.put, [JSON.stringify(records)]);
  }

  toJson(record: R): Record<string, unknown> {
    const ids = this.pairs.columns.map((column): [string, string] => [
      column,
      String(record[column]),
    ]);
    return { ...Object.fromEntries(ids), created: record.created };
  }
}
