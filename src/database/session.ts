import { type Client } from 'pg';
import { type Settings } from '../config/settings';

/** PostgreSQL settings that the service requires, by name, with values as text. */
export type SessionSettings = readonly (readonly [name: string, value: string])[];

/**
 * Settings of every statement: the time zone `TIME_ZONE` (D1), the format of dates that statements
 * and the driver expect, and timeouts of statements and locks (D5). They are no startup parameters,
 * because poolers reject or ignore unknown parameters.
 */
export const sessionSettingsOf = (settings: Settings): SessionSettings => [
  ['TimeZone', settings.TIME_ZONE],
  ['DateStyle', 'ISO, MDY'],
  ['statement_timeout', String(settings.DATABASE_STATEMENT_TIMEOUT_MS)],
  ['lock_timeout', String(settings.DATABASE_LOCK_TIMEOUT_MS)],
  ['idle_in_transaction_session_timeout', String(settings.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS)],
];

/**
 * Settings with which PostgreSQL ends the session of a host that vanished after a minute. Otherwise
 * the session keeps its locks for two hours, the default of most systems. They do nothing on a Unix
 * socket and where the system lacks them, and then read as 0.
 */
const KEEP_ALIVE: SessionSettings = [
  ['tcp_keepalives_idle', '30'],
  ['tcp_keepalives_interval', '10'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '60000'],
];

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const applied = (session: SessionSettings, local: boolean): string =>
  session
    .map(([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, ${local})`)
    .join(', ');

/** SQL: expressions that apply the settings of TCP to the session. */
export const KEEP_SESSION_ALIVE = applied(KEEP_ALIVE, false);

/** One statement that applies the settings until the transaction ends. */
export const localStatement = (session: SessionSettings): string =>
  `SELECT ${applied(session, true)}`;

/** The same without a snapshot, so that BEGIN with an isolation level may follow. */
export const localStatements = (session: SessionSettings): string[] =>
  session.map(([name, value]) => `SET LOCAL ${name} TO ${quoted(value)}`);

/** The connection does not keep its settings, or is shared by several clients. */
export class SessionSettingsLost extends Error {
  constructor() {
    super(
      'the connection does not keep its session: a pooler that shares connections needs ' +
        'DATABASE_POOLING=transaction and DATABASE_DIRECT_URL',
    );
  }
}

/**
 * Applies the settings to a new connection, and checks them with a second statement, which a pooler
 * may run in another session. The settings of TCP are not checked.
 *
 * @param timeoutMs time limit of the two statements in milliseconds
 * @returns id of the session's process
 * @throws SessionSettingsLost; Error of `pg` when a value is rejected
 */
export async function establishSession(
  client: Pick<Client, 'query'>,
  session: SessionSettings,
  timeoutMs: number,
): Promise<number> {
  const query = async (list: string): Promise<string[]> => {
    const text = `SELECT ${list}`;
    const result = await client.query<string[]>({
      text,
      rowMode: 'array',
      query_timeout: Math.ceil(timeoutMs / 2),
    } as { text: string; rowMode: 'array' });
    return result.rows[0] ?? [];
  };
  const pid = 'pg_backend_pid()::text';
  const shown = session.map(([name]) => `current_setting(${quoted(name)})`).join(', ');
  const wanted = await query(`${applied(session, false)}, ${pid}, ${KEEP_SESSION_ALIVE}`);
  const actual = await query(`${shown}, ${pid}`);
  if (actual.some((value, at) => value !== wanted[at])) throw new SessionSettingsLost();
  return Number(actual.at(-1));
}
