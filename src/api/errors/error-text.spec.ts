import { errorText } from './error-text';
import { ApiError } from './error-codes';

const caused = (message: string, cause: unknown): Error => new Error(message, { cause });

it.each<[name: string, error: unknown, text: string]>([
  ['an error', new Error('no such port'), 'no such port'],
  ['no error', 'aborted', 'aborted'],
  [
    'causes',
    caused('cannot start', caused('no database', new Error('ECONNREFUSED'))),
    'cannot start: no database: ECONNREFUSED',
  ],
  [
    'a message that contains its cause',
    caused('cannot start: ECONNREFUSED', new Error('ECONNREFUSED')),
    'cannot start: ECONNREFUSED',
  ],
  [
    'a sentence that explains its cause',
    caused('Port 80 is in use: set PORT.', new Error('EADDRINUSE')),
    'Port 80 is in use: set PORT.',
  ],
  [
    'an error of the interface',
    new ApiError('unknown', {
      cause: new Error('cannot execute INSERT in a read-only transaction'),
    }),
    'cannot execute INSERT in a read-only transaction',
  ],
  [
    'its detail',
    new ApiError('unknown', { detail: 'no such job', cause: new Error('no row') }),
    'no such job: no row',
  ],
  ['an error of the interface alone', new ApiError('unknown'), 'unknow_v2_error'],
  [
    'several addresses of a host',
    new AggregateError([new Error('ECONNREFUSED ::1'), new Error('ECONNREFUSED 127.0.0.1')]),
    'ECONNREFUSED ::1; ECONNREFUSED 127.0.0.1',
  ],
  [
    'an error without a message',
    Object.assign(new Error(''), { code: 'ECONNRESET' }),
    'ECONNRESET',
  ],
  [
    'several lines of settings',
    new Error('Invalid settings:\n  PORT'),
    'Invalid settings:\n  PORT',
  ],
  [
    'several lines of a cause',
    caused('cannot start', new Error('one\n  two')),
    'cannot start: one two',
  ],
  [
    'a password in an address',
    new Error('no host in postgres://me:s3c/r@t@db/x?y'),
    'no host in postgres://***@db/x?y',
  ],
  [
    'a password without a user',
    caused('a', new Error('redis://:secret@redis:6379')),
    'a: redis://***@redis:6379',
  ],
  [
    'a password of a parameter',
    new Error("host=db password='a b' user=me"),
    'host=db password=*** user=me',
  ],
])('%s', (_name, error, text) => {
  expect(errorText(error)).toBe(text);
});

it('causes that contain each other end', () => {
  const error = new Error('a');
  error.cause = caused('b', error);
  expect(errorText(error)).toBe('a: b');
});
