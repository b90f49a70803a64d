import { statement, type SqlExecutor } from '../../database/database';
import { creditKey, type CreditRecord } from '../movies/credit.record';
import { ensurePlaceholderCelebrities, ensurePlaceholders } from '../movies/placeholders';
import { RecordReader } from '../engine/record';
import { reserveIds } from '../engine/sequences';
import { DelegatingHandler } from './delegating.handler';

type Ids = ReadonlyMap<string, number>;

/** A credit record with the row id of each role. */
export interface NumberedCredit {
  readonly record: CreditRecord;
  readonly ids: Ids;
}

interface IdRow {
  readonly id: number;
  readonly subject_id: number;
  readonly celebrity_id: number | null;
  readonly name: string;
  readonly role: string;
}

const IDS = statement(
  'import_export.credit_ids',
  `SELECT id::float8 AS id, subject_id::float8 AS subject_id, celebrity_id::float8 AS celebrity_id,
     name, role
   FROM credits WHERE subject_id = ANY($1::bigint[])`,
);
// Inserts only the ids; the credit handler writes the other columns. Stored rows keep their ids,
// and an id in use is not assigned.
const RESERVE = statement(
  'import_export.number_credits',
  `INSERT INTO credits (id, subject_id, celebrity_id, name, role)
   SELECT r.id, r.subject_id, r.celebrity_id, r.name, r.role
   FROM json_to_recordset($1::json)
     AS r(id bigint, subject_id bigint, celebrity_id bigint, name text, role text)
   ORDER BY r.id
   ON CONFLICT DO NOTHING`,
);

const subjectsOf = (records: readonly CreditRecord[]): number[] =>
  records.map(({ subject_id }) => subject_id);

/** Imports and exports credits in full exports. People without a position are ordered by id. */
export class NumberedCreditHandler extends DelegatingHandler<CreditRecord, NumberedCredit> {
  parse(value: unknown): NumberedCredit {
    const record = this.inner.parse(value);
    const reader = new RecordReader(value);
    const inputIds = reader.has('ids') ? reader.list('ids') : [];
    const ids = new Map<string, number>();
    record.roles.forEach(({ role }, at) => {
      const id = new RecordReader({ id: inputIds[at] }, 'ids').id('id');
      if (id !== undefined) ids.set(role, id);
    });
    return { record, ids };
  }

  async resolveIds(
    executor: SqlExecutor,
    records: readonly NumberedCredit[],
  ): Promise<NumberedCredit[]> {
    const inputIds = new Map(records.map(({ record, ids }) => [creditKey(record), ids]));
    const identified = await this.inner.resolveIds(
      executor,
      records.map(({ record }) => record),
    );
    const stored = await this.idsOf(executor, identified);
    return identified.map((record) => {
      const key = creditKey(record);
      return { record, ids: new Map([...(inputIds.get(key) ?? []), ...(stored.get(key) ?? [])]) };
    });
  }

  async write(executor: SqlExecutor, records: readonly NumberedCredit[]): Promise<void> {
    const all = records.map(({ record }) => record);
    const rows = records.flatMap(({ record: { subject_id, celebrity_id, name }, ids }) =>
      [...ids].map(([role, id]) => ({ id, subject_id, celebrity_id, name, role })),
    );
    await ensurePlaceholders(executor, subjectsOf(all));
    await ensurePlaceholderCelebrities(
      executor,
      all.flatMap(({ celebrity_id }) => celebrity_id ?? []),
    );
    await reserveIds(
      executor,
      'credits',
      rows.map(({ id }) => id),
    );
    await executor.query(RESERVE, [JSON.stringify(rows)]);
    await this.inner.write(executor, all);
  }

  toJson({ record, ids }: NumberedCredit): Record<string, unknown> {
    const inRoles = record.roles.map(({ role }) => ids.get(role) ?? null);
    return { ...this.inner.toJson(record), ids: inRoles };
  }

  protected async extend(
    executor: SqlExecutor,
    records: readonly CreditRecord[],
  ): Promise<NumberedCredit[]> {
    const ids = await this.idsOf(executor, records);
    return records.map((record) => ({ record, ids: ids.get(creditKey(record)) ?? new Map() }));
  }

  /** Ids of stored credits by role, for each key. */
  private async idsOf(
    executor: SqlExecutor,
    records: readonly CreditRecord[],
  ): Promise<Map<string, Map<string, number>>> {
    const subjects = [...new Set(subjectsOf(records))];
    const all = new Map<string, Map<string, number>>();
    if (subjects.length === 0) return all;
    for (const row of await executor.query<IdRow>(IDS, [subjects])) {
      const ids = all.get(creditKey(row)) ?? new Map<string, number>();
      all.set(creditKey(row), ids.set(row.role, row.id));
    }
    return all;
  }
}
