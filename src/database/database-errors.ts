import { types } from 'node:util';
import { ApiError, Overloaded, unavailable } from '../api/errors/error-codes';
import { ClientLeft, PoolBusy } from './pool-queue';
import { WritesStalled } from './stalled-commits';

/**
 * Errors of PostgreSQL have `code`, `severity` and `file` (of its source), those of sockets `code`,
 * and those of the driver none of them.
 */
type DatabaseError = Error & {
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly file?: unknown;
};

/**
 * SQLSTATEs of temporary failures:
 *
 * - 08 connection failures, 53 insufficient resources (53100 disk full, 53300 too many
 *   connections), 57 cancelled, shutting down or starting, 58 system errors, such as a failing disk
 * - 40 deadlock and serialization failures, 55P03 lock timeout
 * - 25006 a read-only transaction: a standby, or a primary that was demoted
 * - 42501 insufficient privilege: also a file of PostgreSQL that it is not permitted to open
 * - 26000 and 42P05 a prepared statement that does not exist or exists already: a pooler has assigned
 *   another session to the connection
 * - 42P01, 3F000, 42703, 42883 and 42704 a table, schema, column, function or type that does not
 *   exist: the database is being restored, is empty, or has the schema of another version. A wrong
 *   statement has these codes, too, so that callers must log the error.
 */
const TRANSIENT =
  /^(08|53|57|58|40)|^(55P03|25006|42501|26000|42P05|42P01|3F000|42703|42883|42704)$/;

/**
 * Internal errors (XX000) from these files of PostgreSQL's source are temporary as well: the file
 * system returned an error without an SQLSTATE of its own, such as a quota that is used up, or a
 * network file system that does not respond.
 */
const INTERNAL_ERROR = 'XX000';
const FILE_ACCESS =
  /^(md|fd|slru|xlog|xloginsert|buffile|logtape|fileset|sharedfileset|copydir|storage|relmapper|twophase)\.c$/;

/** Error codes of sockets and the resolver: the server is unreachable. */
const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EMFILE', 'ENFILE', 'ENOBUFS'],
  // The server's socket file does not exist.
  'ENOENT',
]);

/** Error codes of TLS, such as a damaged record or an alert: Node closes the connection. */
const TLS_FAILED = /^(ERR_SSL_|ERR_TLS_|EPROTO$)/;

/** Messages of the driver for a connection that ended. */
const CONNECTION_LOST = new RegExp(
  [
    'Connection terminated',
    'Client has encountered a connection error',
    'Client was closed and is not queryable',
    'Received unexpected \\w+ message',
    // A message of an unknown type.
    'received invalid response: ',
    'There was an error establishing an SSL connection',
    'socket disconnected before secure TLS connection',
  ].join('|'),
);

/** Messages of the driver when no connection was available in time. */
const NOT_CONNECTED = /timeout exceeded when trying to connect|timeout expired|Cannot use a pool/;

/** Message of the driver for a statement without a response in time. */
const NOT_ANSWERED = 'Query read timeout';

/**
 * SQLSTATEs with which PostgreSQL ends a connection: 08 connection failures, 28 not permitted to
 * connect, 3D no such database, 57P shutting down or starting, 25P idle for too long (25P03, 25P04),
 * 53300 too many connections. It does not depend on the severity, which PostgreSQL translates (`lc_messages`).
 */
const ENDS_CONNECTION = /^(08|28|3D|57P)|^(25P0[34]|53300)$/;

/** SQLSTATEs after which a connection is still usable: only the statement failed. */
const HARMLESS = /^(22|23|40|42|P0)|^(57014|55P03|53100|53400)$/;
/** SQLSTATEs for prepared statements that differ from the state of the driver. */
const UNPREPARED = /^(0A000|26000|42P05)$/;

const codeOf = (error: DatabaseError): string => (typeof error.code === 'string' ? error.code : '');

/** Whether the server did not respond to a statement in time. */
export const isSilent = (error: unknown): boolean =>
  types.isNativeError(error) && error.message === NOT_ANSWERED;

/** Whether the server rejected a write because it is a standby or was demoted. */
export const isReadOnly = (error: unknown): boolean =>
  types.isNativeError(error) && codeOf(error) === '25006';

/** Whether the connection was lost; PostgreSQL rolls back its open transaction. */
export function isConnectionLost(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { severity } = error as DatabaseError;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (severity !== undefined && ENDS_CONNECTION.test(codeOf(error))) return true;
  const code = codeOf(error);
  return UNREACHABLE.has(code) || TLS_FAILED.test(code) || CONNECTION_LOST.test(error.message);
}

/** Whether no response to a statement arrived, so that PostgreSQL may have run it. */
export const hasNoResponse = (error: unknown): boolean =>
  isConnectionLost(error) || isSilent(error);

/** Whether a connection is usable after an error. Errors of the program do not affect it. */
export function leavesConnectionUsable(error: unknown): boolean {
  if (!types.isNativeError(error)) return true;
  if (hasNoResponse(error)) return false;
  const code = codeOf(error);
  // SQLSTATEs have five characters; other codes are not from the server.
  if (!/^[0-9A-Z]{5}$/.test(code) || (error as DatabaseError).severity === undefined) return true;
  return HARMLESS.test(code) && !UNPREPARED.test(code);
}

const isFileError = (error: DatabaseError): boolean =>
  codeOf(error) === INTERNAL_ERROR && FILE_ACCESS.test(String(error.file));

function isTransient(error: Error): boolean {
  return (
    isFileError(error) ||
    isConnectionLost(error) ||
    isSilent(error) ||
    TRANSIENT.test(codeOf(error)) ||
    NOT_CONNECTED.test(error.message)
  );
}

/**
 * Converts an error of opening a connection to a temporary failure: the next attempt may reach
 * another server.
 */
export const toConnectionError = (error: unknown): unknown =>
  types.isNativeError(error) && !isTransient(error)
    ? new Error(`Connection terminated while it was opened: ${error.message}`, { cause: error })
    : error;

/**
 * It is unknown whether a transaction was committed, because the connection was lost during COMMIT.
 * The change must not be repeated without a check.
 */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('it is unknown whether the transaction was committed', { cause });
  }
}

const OUTCOME_UNKNOWN =
  'the database did not confirm that the change was saved; check whether it exists, or retry with ' +
  'the same Idempotency-Key';

/** Converts errors of the driver: 503 when a retry may succeed (D5). */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof CommitUnknown) return unavailable(error, { detail: OUTCOME_UNKNOWN });
  if (error instanceof PoolBusy) return new Overloaded(error.isPart);
  if (error instanceof ClientLeft) return unavailable(undefined);
  // Logged once, not for each write.
  if (error instanceof WritesStalled) return unavailable(undefined, { detail: error.message });
  return types.isNativeError(error) && !(error instanceof ApiError) && isTransient(error)
    ? unavailable(error)
    : error;
}

/**
 * Whether work failed because of the database and may succeed later: a temporary failure, or a commit
 * with an unknown outcome. File-system errors do not count.
 */
export function isDatabaseFailure(error: unknown): boolean {
  // An overload, or writes that wait for a standby, have no cause.
  if (error instanceof ApiError && error.cause === undefined) return error.status === 503;
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof CommitUnknown) return true;
  return types.isNativeError(cause) && !('path' in cause) && isTransient(cause);
}

/** Whether a transaction failed because of a concurrent one: deadlock, serialization failure. */
export function isTransactionConflict(error: unknown): boolean {
  return types.isNativeError(error) && codeOf(error).startsWith('40');
}
