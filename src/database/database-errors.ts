import { types } from 'node:util';
import { unavailable } from '../api/errors';

/**
 * SQLSTATEs that say "not now" rather than "wrong": connection failures (class 08), too many
 * connections or resources (53), statement and lock time-outs, shutdown (57), deadlock and
 * serialization failures (40).
 */
const TRANSIENT = /^(08|53|57|40)|^55P03$/;
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'ENOENT']);

function isTransient(error: Error & { code?: unknown; severity?: unknown }): boolean {
  // The server ended the session, or did not let one begin: nothing a request could be wrong in.
  if (error.severity === 'FATAL') return true;
  if (typeof error.code === 'string' && (TRANSIENT.test(error.code) || SOCKET.has(error.code))) {
    return true;
  }
  // The driver's own errors have no code.
  return /timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after/.test(
    error.message,
  );
}

/** A failure of the driver as the service's own: 503 when trying again can help (D5). */
export function toDatabaseError(error: unknown): unknown {
  return types.isNativeError(error) && isTransient(error) ? unavailable(error) : error;
}

/** Whether a transaction failed only because of another one: deadlock, serialization failure. */
export function metAnother(error: unknown): boolean {
  return types.isNativeError(error) && /^40/.test(String((error as { code?: unknown }).code));
}
