import { Injectable } from '@nestjs/common';
import { type Role } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { byPart, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';

/** A user as administrators see it. */
export interface UserAccountRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly role: Role;
  readonly blocked: boolean;
  /** Shown to the user; null or empty when not blocked, or without a reason. */
  readonly blocked_reason: string | null;
  /** The last day of the block, `yyyy-MM-dd`; null without an end. */
  readonly blocked_until: string | null;
  readonly created: string;
}

const COLUMNS = `u.id::float8 AS id, u.uid, u.name, u.role, u.blocked_at IS NOT NULL AS blocked,
  u.blocked_reason, u.blocked_until::text AS blocked_until,
  ${wireTime('u.created_at')} AS created`;

const BY_ID = statement('users.account', `SELECT ${COLUMNS} FROM users u WHERE u.id = $1`);

const CREATED = statement(
  'users.created_account',
  `SELECT ${COLUMNS} FROM users u WHERE u.id = currval(pg_get_serial_sequence('users', 'id'))`,
);

// The audit log only contains the time of a password change, in microseconds because two changes
// may follow closely.
const PASSWORD_SINCE = statement(
  'users.password_since',
  `SELECT u.uid, to_json(p.changed_at) AS password_since
   FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.id = $1`,
);

const LIST = new FilteredList<'q' | Role | 'blocked' | 'unblocked', UserAccountRow>({
  name: 'users.accounts',
  from: 'users h',
  filters: {
    q: byPart(`h.uid || E'\\n' || h.name`),
    administrator: { sql: () => `h.role = 'administrator'`, flag: true },
    member: { sql: () => `h.role = 'member'`, flag: true },
    blocked: { sql: () => 'h.blocked_at IS NOT NULL', flag: true },
    unblocked: { sql: () => 'h.blocked_at IS NULL', flag: true },
  },
  columns: COLUMNS,
  joins: 'LEFT JOIN users u ON u.id = p.id',
});

const wantedOf = ({ q, role, blocked }: UserFilter) => ({
  ...{ q: q === '' ? undefined : q },
  ...{ administrator: role === 'administrator', member: role === 'member' },
  ...{ blocked: blocked === true, unblocked: blocked === false },
});

const SET_ROLE = statement('users.set_role', 'UPDATE users SET role = $2 WHERE id = $1');

// Locks the rows, so that two administrators cannot remove each other's role concurrently.
const ADMINISTRATORS = statement(
  'users.administrators',
  `SELECT id::float8 AS id FROM users
   WHERE role = 'administrator' AND blocked_at IS NULL ORDER BY id FOR UPDATE`,
);

const ENDED_BLOCKS = statement(
  'users.ended_blocks',
  `SELECT id::float8 AS id FROM users
   WHERE blocked_until < current_date AND blocked_at IS NOT NULL ORDER BY users.id LIMIT 1000`,
);

const LOCK_ENDED = statement(
  'users.lock_ended_block',
  `SELECT 1 FROM users WHERE id = $1 AND blocked_until < current_date FOR UPDATE`,
);

/** Filters of the list of users; undefined means any. */
export interface UserFilter {
  readonly q?: string;
  readonly role?: Role;
  readonly blocked?: boolean;
}

/** Users as administrators see them. */
@Injectable()
export class UserAccountsRepository {
  constructor(private readonly database: Database) {}

  async findAccount(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<UserAccountRow | undefined> {
    return (await executor.query<UserAccountRow>(BY_ID, [id]))[0];
  }

  /** The user that the transaction has just created. */
  async findCreated(executor: SqlExecutor): Promise<UserAccountRow | undefined> {
    return (await executor.query<UserAccountRow>(CREATED))[0];
  }

  /** A user and the time of the last password change; null without a password. */
  async findPasswordChange(id: number, executor: SqlExecutor): Promise<object | undefined> {
    return (await executor.query<object>(PASSWORD_SINCE, [id]))[0];
  }

  /** Users, ordered by id. */
  list(filter: UserFilter, page: PageQuery): Promise<Page<UserAccountRow>> {
    return LIST.page(this.database, wantedOf(filter), page);
  }

  /** All matching users. */
  scan(filter: UserFilter): AsyncGenerator<UserAccountRow> {
    return LIST.scan(this.database, wantedOf(filter));
  }

  setRole(id: number, role: Role, hooks: TransactionHooks): Promise<void> {
    return this.database.transaction(async (executor) => {
      await executor.query(SET_ROLE, [id, role]);
    }, hooks);
  }

  /** Ids of users whose block has ended, at most 1,000. */
  async listEndedBlocks(): Promise<number[]> {
    return (await this.database.query<{ id: number }>(ENDED_BLOCKS)).map(({ id }) => id);
  }

  /** Whether the block of a user has ended; locks the user until the transaction ends. */
  async lockEndedBlock(executor: SqlExecutor, id: number): Promise<boolean> {
    return (await executor.query(LOCK_ENDED, [id])).length > 0;
  }

  /** Ids of the administrators who are not blocked, locked until the transaction ends. */
  async lockAdministrators(executor: SqlExecutor): Promise<number[]> {
    return (await executor.query<{ id: number }>(ADMINISTRATORS)).map(({ id }) => id);
  }
}
