import { malformed, unavailable } from '../../api/errors/error-codes';
import { DiskTimeout } from '../../api/errors/file-errors';
import { CommitUnknown } from '../../database/database-errors';
import { notMounted } from '../../images/picture-storage';
import { S3Unavailable, toS3Unavailable } from '../../images/s3-unavailable';
import { JobCancelled, JobInterrupted, type Job, type JobState } from './job';
import { jobErrorMessage, jobStateAfter } from './job-outcome';
import { toJobError } from './unavailable-storage';

it.each<[string, unknown, string]>([
  ['an error', new Error('no space'), 'no space'],
  ['an error of the API', unavailable(new Error('no connection')), 'no connection'],
  ['an error of the API without a cause', malformed('no such file'), 'no such file'],
  ['another value', 'thrown', 'thrown'],
  ['a job that was cancelled', new JobCancelled(), ''],
])('the error message of a job after %s', (_, error, message) => {
  expect(jobErrorMessage(error)).toBe(message);
});

const failure = (code: string, more: object = {}): Error =>
  Object.assign(new Error('failed'), { code, ...more });

it.each<[string, unknown, string, string]>([
  ['an end of its session', failure('57P01', { severity: 'FATAL' }), 'waiting', 'failed'],
  ['too many connections', unavailable(failure('53300')), 'waiting', 'failed'],
  ['an unknown outcome', new CommitUnknown(failure('ECONNRESET')), 'waiting', 'failed'],
  ['writes that wait for a standby', unavailable(undefined), 'waiting', 'failed'],
  ['a missing file', failure('ENOENT', { path: '/in.ndjson' }), 'failed', 'failed'],
  ['a rejected file', malformed('no such file'), 'failed', 'failed'],
  ['a cancellation', new JobCancelled(), 'cancelled', 'cancelled'],
  ['an interruption', new JobInterrupted(), 'waiting', 'waiting'],
])('the state of a job after %s', (_, reason, early, last) => {
  expect(jobStateAfter({ from_cli: false, attempts: 0 }, reason)).toBe(early);
  expect(jobStateAfter({ from_cli: false, attempts: 2 }, reason)).toBe(last);
});

/** An error of the file system. Without a path, it is that of an open file. */
const fileFailure = (code: string, path?: string): Error =>
  path === undefined
    ? Object.assign(new Error(`${code}: failed, read`), { code, syscall: 'read' })
    : Object.assign(new Error(`${code}: failed, open '${path}'`), { code, syscall: 'open', path });

const missing = fileFailure('ENOENT', '/out');
const damaged = (cause: Error): Error => new Error('/in is damaged', { cause });
const STALE = 'Unknown system error -116';

it.each<[Job['type'], unknown, JobState, RegExp]>([
  ['export', missing, 'waiting', /^ENOENT: .*'\/out'$/],
  ['export', unavailable(missing), 'waiting', /^ENOENT: .*'\/out'$/],
  ['export', fileFailure('EACCES', '/out'), 'failed', /^EACCES: /],
  ['import', missing, 'failed', /^ENOENT: /],
  ['import', damaged(missing), 'failed', /damaged/],
  ...(['import', 'export'] as const).flatMap((type): [Job['type'], unknown, JobState, RegExp][] => [
    [type, unavailable(new DiskTimeout('no result')), 'waiting', /^PICTURES_DIR .+: no result$/],
    [type, notMounted(), 'waiting', /^ENOENT: PICTURES_DIR has no pictures/],
    [type, unavailable(new S3Unavailable('S3 responded 503')), 'waiting', /^S3 responded 503$/],
    [type, toS3Unavailable(new Error('terminated')), 'waiting', /S3 failed: terminated$/],
    [type, unavailable(new Error('S3 responded 403')), 'failed', /^S3 responded 403$/],
    [
      type,
      unavailable(fileFailure('ENOTCONN', '/a-l.png')),
      'waiting',
      /^ENOTCONN: .+'\/a-l.png'$/,
    ],
    [
      type,
      fileFailure('EIO'),
      'waiting',
      new RegExp(`^PICTURES_DIR or .+ of the ${type} .+: EIO: `),
    ],
    [type, fileFailure('ETIMEDOUT', '/in'), 'waiting', /^ETIMEDOUT: .+'\/in'$/],
    [type, damaged(fileFailure(STALE, '/in')), 'waiting', /^Unknown system error -116: .+'\/in'$/],
    [type, fileFailure('ENOSPC', '/out'), 'failed', /^ENOSPC: /],
  ]),
])('the state of an %s after %s', (type, error, state, message) => {
  const reason = toJobError({ type }, error);
  expect(jobStateAfter({ from_cli: false, attempts: 0 }, reason)).toBe(state);
  expect(jobStateAfter({ from_cli: false, attempts: 2 }, reason)).toBe('failed');
  expect(jobStateAfter({ from_cli: true, attempts: 0 }, reason)).toBe('failed');
  expect(jobErrorMessage(reason)).toMatch(message);
});

it('a job of the command line is not retried', () => {
  expect(jobStateAfter({ from_cli: true, attempts: 0 }, failure('57P01'))).toBe('failed');
});
