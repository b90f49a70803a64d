import { types } from 'node:util';
import { ApiError, Overloaded, unavailable } from '../api/errors/errors';
import { ClientLeft, PoolBusy } from './pool-queue';

/** An error of PostgreSQL has `code` and `severity`, one of a socket `code`, the driver's own none. */
type DatabaseError = Error & { readonly code?: unknown; readonly severity?: unknown };

/**
 * SQLSTATEs that say "not now" rather than "wrong":
 *
 * - 08 connection failures, 53 too few resources (53100 disk full, 53300 too many connections),
 *   57 cancelled, shutting down or starting, 58 errors of the system, such as a failing disk
 * - 40 deadlock and serialization failures, 55P03 lock timeout
 * - 25006 a read-only transaction: a standby, or a primary that was demoted
 */
const TRANSIENT = /^(08|53|57|58|40)|^(55P03|25006)$/;

/** Codes of sockets and of the resolver: the server cannot be reached, or no longer. */
const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EMFILE', 'ENFILE', 'ENOBUFS'],
  // The server's socket file is not there.
  'ENOENT',
]);

/** The driver's words for a connection that ended, or that was ended. */
const CONNECTION_LOST = new RegExp(
  [
    'Connection terminated',
    'Client has encountered a connection error',
    'Client was closed and is not queryable',
    'Received unexpected \\w+ message',
    'There was an error establishing an SSL connection',
    'socket disconnected before secure TLS connection',
  ].join('|'),
);

/** The driver's words for a connection, or a free place in the pool, that did not come in time. */
const NOT_CONNECTED = /timeout exceeded when trying to connect|timeout expired|Cannot use a pool/;

/** The driver's words for a statement that the server did not answer in time. */
const NOT_ANSWERED = 'Query read timeout';

/** SQLSTATEs after which a connection is as good as before: the statement was wrong, or in the way. */
const HARMLESS = /^(22|23|40|42|P0)|^(57014|55P03|53100|53400)$/;
/** Of class 42, and beside it: the connection's prepared statements are not what the driver thinks. */
const UNPREPARED = /^(0A000|26000|42P05)$/;

const codeOf = (error: DatabaseError): string => (typeof error.code === 'string' ? error.code : '');

/** The server did not answer a statement in time: the connection has fallen silent. */
export const isSilent = (error: unknown): boolean =>
  types.isNativeError(error) && error.message === NOT_ANSWERED;

/** The server refused to write, as it is a standby or was demoted. */
export const isReadOnly = (error: unknown): boolean =>
  types.isNativeError(error) && codeOf(error) === '25006';

/** The connection ended while it was used: whatever was not committed on it will never be. */
export function isConnectionLost(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { severity } = error as DatabaseError;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  return UNREACHABLE.has(codeOf(error)) || CONNECTION_LOST.test(error.message);
}

/** Whether a connection may go back to the pool after an error; those of the program say nothing. */
export function leavesConnectionUsable(error: unknown): boolean {
  if (!types.isNativeError(error)) return true;
  if (isConnectionLost(error) || isSilent(error)) return false;
  const code = codeOf(error);
  // SQLSTATEs have five characters; everything else did not come from the server.
  if (!/^[0-9A-Z]{5}$/.test(code) || (error as DatabaseError).severity === undefined) return true;
  return HARMLESS.test(code) && !UNPREPARED.test(code);
}

function isTransient(error: Error): boolean {
  return (
    isConnectionLost(error) ||
    isSilent(error) ||
    TRANSIENT.test(codeOf(error)) ||
    NOT_CONNECTED.test(error.message)
  );
}

/**
 * The connection was lost after COMMIT was sent and before it was answered: nobody knows whether the
 * change was made. It must not be made again without looking.
 */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during COMMIT', { cause });
  }
}

const OUTCOME_UNKNOWN =
  'the database was lost while the change was saved: look whether it was made, or try again with ' +
  'the same Idempotency-Key';

/** A failure of the driver as the service's own: 503 when trying again can help (D5). */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof CommitUnknown) return unavailable(error, { detail: OUTCOME_UNKNOWN });
  if (error instanceof PoolBusy) return new Overloaded();
  if (error instanceof ClientLeft) return unavailable(undefined);
  return types.isNativeError(error) && !(error instanceof ApiError) && isTransient(error)
    ? unavailable(error)
    : error;
}

/** Whether a transaction failed only because of another one: deadlock, serialization failure. */
export function metAnother(error: unknown): boolean {
  return types.isNativeError(error) && codeOf(error).startsWith('40');
}
