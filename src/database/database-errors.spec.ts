import { ApiError } from '../api/errors/error-codes';
import {
  CommitUnknown,
  isConnectionLost,
  leavesConnectionUsable,
  toConnectionError,
  toDatabaseError,
} from './database-errors';
import { ClientLeft, PoolBusy } from './pool-queue';

const errorOf = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), more);
/** An error that PostgreSQL tells. */
const postgresError = (code: string, severity = 'ERROR'): Error =>
  errorOf('from the server', { code, severity });

const statusOf = (error: unknown): number | undefined => {
  const known = toDatabaseError(error);
  return known instanceof ApiError ? known.status : undefined;
};

const AWAY = {
  'connection failure': postgresError('08006'),
  'too many connections': postgresError('53300', 'FATAL'),
  'disk full': postgresError('53100'),
  'cancelled, as it took too long': postgresError('57014'),
  'ended by an administrator': postgresError('57P01', 'FATAL'),
  'ended as another session crashed': postgresError('57P02', 'WARNING'),
  'starting up': postgresError('57P03', 'FATAL'),
  'database dropped': postgresError('57P04', 'FATAL'),
  'error of the disk': postgresError('58030'),
  'disk quota used up': Object.assign(postgresError('XX000'), { file: 'md.c' }),
  'temporary file beyond the quota': Object.assign(postgresError('XX000'), { file: 'buffile.c' }),
  'idle in a transaction': postgresError('25P03', 'FATAL'),
  'read-only': postgresError('25006'),
  'not permitted to open its file': postgresError('42501'),
  'a statement that another session has prepared': postgresError('26000'),
  'no such table, as in a database that is being restored': postgresError('42P01'),
  'no such schema': postgresError('3F000'),
  'no such column, as in the schema of another version': postgresError('42703'),
  'no such function': postgresError('42883'),
  'no such type': postgresError('42704'),
  'waited for a lock': postgresError('55P03'),
  deadlock: postgresError('40P01'),
  'not allowed to connect': postgresError('28P01', 'FATAL'),
  'not allowed to connect, in another language': postgresError('28P01', '致命错误'),
  'no such database, in another language': postgresError('3D000', '致命错误'),
  'an invalid response while connecting': toConnectionError(
    errorOf('received invalid response: 4a'),
  ) as Error,
  ...Object.fromEntries(
    [
      ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
      ...['ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', 'ENOENT', 'EMFILE', 'EPROTO'],
      ...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'],
    ].map((code) => [code, errorOf('from the socket', { code })]),
  ),
  ...Object.fromEntries(
    [
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'timeout exceeded when trying to connect',
      'timeout expired',
      'Query read timeout',
      'Cannot use a pool after calling end on the pool',
      'Received unexpected commandComplete message from backend.',
      'There was an error establishing an SSL connection',
    ].map((message) => [message, errorOf(message)]),
  ),
};

describe('errors that become 503', () => {
  it.each(Object.entries(AWAY))('%s', (_name, error) => {
    expect(statusOf(error)).toBe(503);
  });

  it('states that the outcome is unknown when the connection was lost during COMMIT', () => {
    const known = toDatabaseError(new CommitUnknown(errorOf('Connection terminated')));
    expect(known).toMatchObject({ status: 503 });
    expect((known as ApiError).detail).toContain('whether');
  });

  it('sets Retry-After when the queue is full', () => {
    const { status, headers } = toDatabaseError(new PoolBusy('full')) as ApiError;
    expect(status).toBe(503);
    expect(Number(headers['Retry-After'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(5);
  });

  it('is not logged when the client disconnected or the queue is full', () => {
    for (const error of [new PoolBusy('full'), new ClientLeft('left')]) {
      expect((toDatabaseError(error) as ApiError).cause).toBeUndefined();
    }
  });
});

it.each([
  ['a violated constraint', postgresError('23505')],
  ['a wrong statement', postgresError('42601')],
  ['an error of the program', new TypeError('x is undefined')],
  ['a refusal', new ApiError('bookNotFound')],
])('leaves %s unchanged', (_name, error) => {
  expect(toDatabaseError(error)).toBe(error);
});

it('keeps the error of a missing table as the cause, which is logged', () => {
  const error = postgresError('42P01');
  expect((toDatabaseError(error) as ApiError).cause).toBe(error);
});

describe('leavesConnectionUsable', () => {
  it.each([
    ['a violated constraint', postgresError('23505'), true],
    ['a statement that took too long', postgresError('57014'), true],
    ['a full disk', postgresError('53100'), true],
    ['an error of the program', new Error('no'), true],
    ['a session that was ended', postgresError('57P01', 'FATAL'), false],
    ['a silent server', errorOf('Query read timeout'), false],
    ['a read-only server', postgresError('25006'), false],
    ['a lost connection', errorOf('reset', { code: 'ECONNRESET' }), false],
    ['a prepared statement that is out of date', postgresError('0A000'), false],
    ['a prepared statement that is gone', postgresError('26000'), false],
  ])('after %s returns %s', (_name, error, usable) => {
    expect(leavesConnectionUsable(error)).toBe(usable);
  });

  it('does not discard a connection because a statement failed', () => {
    expect(isConnectionLost(postgresError('23505'))).toBe(false);
    expect(isConnectionLost(new Error('no'))).toBe(false);
  });
});
