import { Injectable } from '@nestjs/common';
import { type Role } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byPart, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { type AdminUserRow } from './users.resources';

const COLUMNS = `u.id::float8 AS id, u.uid, u.name, u.role, u.blocked_at IS NOT NULL AS blocked,
  ${wireTime('u.created_at')} AS created`;

const BY_ID = statement('admin.user', `SELECT ${COLUMNS} FROM users u WHERE u.id = $1`);

const JUST_MADE = statement(
  'admin.made_user',
  `SELECT ${COLUMNS} FROM users u WHERE u.id = currval(pg_get_serial_sequence('users', 'id'))`,
);

// The audit log only contains the time of a password change, in microseconds because two changes
// may follow closely.
const PASSWORD_SINCE = statement(
  'admin.password_since',
  `SELECT u.uid, to_json(p.changed_at) AS password_since
   FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.id = $1`,
);

const LIST = new FilteredList<'q' | Role | 'blocked' | 'unblocked', AdminUserRow>({
  name: 'admin.users',
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

const SET_ROLE = statement('admin.set_role', 'UPDATE users SET role = $2 WHERE id = $1');

// Locks the rows, so that two administrators cannot remove each other's role concurrently.
const ADMINISTRATORS = statement(
  'admin.administrators',
  `SELECT id::float8 AS id FROM users
   WHERE role = 'administrator' AND blocked_at IS NULL ORDER BY id FOR UPDATE`,
);

/** Filters of the list of users; undefined means any. */
export interface UserFilter {
  readonly q?: string;
  readonly role?: Role;
  readonly blocked?: boolean;
}

@Injectable()
export class AdminUsersRepository {
  constructor(private readonly database: Database) {}

  async byId(id: number, executor: SqlExecutor = this.database): Promise<AdminUserRow | undefined> {
    return (await executor.query<AdminUserRow>(BY_ID, [id]))[0];
  }

  /** The user that the transaction has just created. */
  async justMade(executor: SqlExecutor): Promise<AdminUserRow | undefined> {
    return (await executor.query<AdminUserRow>(JUST_MADE))[0];
  }

  /** A user and the time of the last password change; null without a password. */
  async passwordSince(id: number, executor: SqlExecutor): Promise<object | undefined> {
    return (await executor.query<object>(PASSWORD_SINCE, [id]))[0];
  }

  /** Users, ordered by id. */
  list(filter: UserFilter, page: PageQuery): Promise<Page<AdminUserRow>> {
    return LIST.page(this.database, wantedOf(filter), page);
  }

  /** All matching users. */
  scan(filter: UserFilter): AsyncGenerator<AdminUserRow> {
    return LIST.scan(this.database, wantedOf(filter));
  }

  setRole(id: number, role: Role): Promise<void> {
    return this.database.transaction(async (executor) => {
      await executor.query(SET_ROLE, [id, role]);
    });
  }

  /** Ids of the administrators who are not blocked, locked until the transaction ends. */
  async lockAdministrators(executor: SqlExecutor): Promise<number[]> {
    return (await executor.query<{ id: number }>(ADMINISTRATORS)).map(({ id }) => id);
  }
}
