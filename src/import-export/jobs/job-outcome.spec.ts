import { malformed, unavailable } from '../../api/errors/error-codes';
import { DiskTimeout } from '../../api/errors/file-errors';
import { CommitUnknown } from '../../database/database-errors';
import { JobCancelled, JobInterrupted } from './job';
import { jobErrorMessage, jobStateAfter, toJobError } from './job-outcome';

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

const missing = Object.assign(new Error("ENOENT: no such file, realpath '/out'"), {
  ...{ code: 'ENOENT', syscall: 'realpath', path: '/out' },
});

it.each([
  ['export', missing, 'waiting'],
  ['export', unavailable(missing), 'waiting'],
  ['export', unavailable(new DiskTimeout('no result from the disk')), 'waiting'],
  [
    'export',
    Object.assign(new Error('EACCES: denied, open'), { ...missing, code: 'EACCES' }),
    'failed',
  ],
  ['import', missing, 'failed'],
] as const)('the state of an %s after %s', (type, error, state) => {
  const reason = toJobError({ type }, error);
  expect(jobStateAfter({ from_cli: false, attempts: 0 }, reason)).toBe(state);
  expect(jobStateAfter({ from_cli: false, attempts: 2 }, reason)).toBe('failed');
  expect(jobErrorMessage(reason)).toMatch(/^E[A-Z]+: |^no result/);
});

it('a job of the command line is not retried', () => {
  expect(jobStateAfter({ from_cli: true, attempts: 0 }, failure('57P01'))).toBe('failed');
});
