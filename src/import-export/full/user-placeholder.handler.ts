import { statement, type SqlExecutor } from '../../database/database';
import { type NamedUser } from '../engine/named-users';
import { requireUid } from '../users/user.handler';
import {
  insertConflictingPlaceholders,
  rejectConflictingPlaceholders,
} from '../users/conflicting-users';
import { RowHandler, type RowRecord } from './row.handler';
import { jsonOf } from './with-extra-columns.handler';

const userOf = ({ id, row }: RowRecord): NamedUser => ({ id, uid: String(row.uid) });

/** The columns of a block. */
export const BLOCK = ['blocked_at', 'blocked_reason', 'blocked_until'] as const;

/** A row with the columns of the block of a record. */
const withBlock = (row: RowRecord['row'], block: RowRecord['row']): RowRecord['row'] => ({
  ...row,
  ...Object.fromEntries(BLOCK.map((name) => [name, block[name]])),
});

interface BlockRow {
  readonly id: number;
  readonly block: RowRecord['row'];
}

// It locks all rows, so that no administrator blocks a user between this statement and the write.
const BLOCKS = statement(
  'import_export.blocks_of_placeholders',
  `SELECT t.id::float8 AS id, ${jsonOf('t', BLOCK)} AS block FROM users t
   WHERE t.id = ANY($1::bigint[]) ORDER BY t.id FOR UPDATE`,
);

/**
 * Imports and exports placeholders of users. Only part of full exports. Users who are blocked here
 * keep their blocks.
 */
export class UserPlaceholderHandler extends RowHandler {
  constructor() {
    super({
      name: 'user-placeholder',
      table: 'users',
      columns: ['uid', 'name', 'signature', 'avatar', ...BLOCK, 'created_at'],
      placeholders: 't.placeholder',
    });
  }

  /** @throws RecordError also for a uid that no user can have: conflicts are stored with it */
  override parse(value: unknown): RowRecord {
    const record = super.parse(value);
    requireUid(String(record.row.uid));
    return record;
  }

  override async load(
    executor: SqlExecutor,
    records: readonly RowRecord[],
  ): Promise<Map<string, RowRecord>> {
    const stored = await super.load(executor, records);
    // A kept block counts as equal.
    for (const record of records) {
      const existing = stored.get(this.key(record) ?? '');
      if (!existing || existing.row.blocked_at === null) continue;
      stored.set(this.key(record) ?? '', {
        ...existing,
        row: withBlock(existing.row, record.row),
      });
    }
    return stored;
  }

  /** @throws RecordError for the id of another user who has registered here */
  override async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    const ids = records.map(({ id }) => id);
    const rows = await executor.query<BlockRow>(BLOCKS, [ids]);
    const blocks = new Map(rows.map(({ id, block }) => [id, block]));
    const kept = records.map((record) => {
      const block = blocks.get(record.id);
      if (!block || block.blocked_at === null) return record;
      return { ...record, row: withBlock(record.row, block) };
    });
    await super.write(executor, kept);
    await rejectConflictingPlaceholders(executor, records.map(userOf));
  }

  /** Stores a conflict, so that records which refer to the user are rejected, too. */
  async onRejected(executor: SqlExecutor, record: RowRecord): Promise<void> {
    await insertConflictingPlaceholders(executor, [userOf(record)]);
  }
}
