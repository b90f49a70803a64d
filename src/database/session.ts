import { type Client } from 'pg';
import { type Settings } from '../config/settings';

/** Settings of PostgreSQL that the service relies on, by name, with their values as text. */
export type SessionSettings = readonly (readonly [name: string, value: string])[];

/** Milliseconds after which PostgreSQL ends a session that holds a transaction and does nothing. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * What every statement runs with: times are written and read in `TIME_ZONE` (D1), statements and
 * locks are given up in time (D5). None of it is a startup parameter, as poolers refuse or ignore
 * those that they do not know.
 */
export const sessionSettingsOf = (settings: Settings): SessionSettings => [
  ['TimeZone', settings.TIME_ZONE],
  ['statement_timeout', String(settings.DATABASE_STATEMENT_TIMEOUT_MS)],
  ['lock_timeout', String(settings.DATABASE_LOCK_TIMEOUT_MS)],
  ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS)],
];

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const applied = (session: SessionSettings, local: boolean): string =>
  session
    .map(([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, ${local})`)
    .join(', ');

/** One statement that applies the settings until the transaction ends. */
export const localStatement = (session: SessionSettings): string =>
  `SELECT ${applied(session, true)}`;

/** The same as statements that need no snapshot: BEGIN with an isolation level may follow them. */
export const localStatements = (session: SessionSettings): string[] =>
  session.map(([name, value]) => `SET LOCAL ${name} TO ${quoted(value)}`);

/** The connection does not keep what is set on it, or belongs to several clients. */
export class SessionSettingsLost extends Error {
  constructor() {
    super(
      'the connection does not keep its session: a pooler that shares connections needs ' +
        'DATABASE_POOLING=transaction and DATABASE_DIRECT_URL',
    );
  }
}

/**
 * Applies the settings to a fresh connection, and looks with a second statement whether it kept
 * them: a pooler may run that one in another session.
 *
 * @param timeoutMs how long the two statements are waited for
 * @throws SessionNotKept; Error of `pg` when a value is refused
 */
export async function establishSession(
  client: Pick<Client, 'query'>,
  session: SessionSettings,
  timeoutMs: number,
): Promise<void> {
  const query = async (list: string): Promise<string[]> => {
    const text = `SELECT ${list}, pg_backend_pid()::text`;
    const result = await client.query<string[]>({
      text,
      rowMode: 'array',
      query_timeout: Math.ceil(timeoutMs / 2),
    } as { text: string; rowMode: 'array' });
    return result.rows[0] ?? [];
  };
  const shown = session.map(([name]) => `current_setting(${quoted(name)})`).join(', ');
  const wanted = await query(applied(session, false));
  const kept = await query(shown);
  if (wanted.some((value, at) => value !== kept[at])) throw new SessionSettingsLost();
}
