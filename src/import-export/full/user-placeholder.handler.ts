import { type SqlExecutor } from '../../database/database';
import { type NamedUser } from '../engine/named-users';
import {
  insertConflictingPlaceholders,
  rejectConflictingPlaceholders,
} from '../users/conflicting-users';
import { RowHandler, type RowRecord } from './row.handler';

const userOf = ({ id, row }: RowRecord): NamedUser => ({ id, uid: String(row.uid) });

/** Imports and exports placeholders of users. Only part of full exports. */
export class UserPlaceholderHandler extends RowHandler {
  constructor() {
    super({
      name: 'user-placeholder',
      table: 'users',
      columns: [
        ...['uid', 'name', 'signature', 'avatar', 'blocked_at', 'blocked_reason', 'blocked_until'],
        'created_at',
      ],
      placeholders: 't.placeholder',
    });
  }

  /** @throws RecordError for the id of another user who has registered here */
  override async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    await super.write(executor, records);
    await rejectConflictingPlaceholders(executor, records.map(userOf));
  }

  /** Stores a conflict, so that records which refer to the user are rejected, too. */
  async onRejected(executor: SqlExecutor, record: RowRecord): Promise<void> {
    await insertConflictingPlaceholders(executor, [userOf(record)]);
  }
}
