import { estimateProgress, waitingFor } from './job-status';
import { type JobProgress } from './job';

const file = (more: Partial<JobProgress>): JobProgress => ({
  ...{ kind: 'book', file: 'x', records: 0 },
  ...more,
});

it('estimates the time left from bytes, or from records weighted by size or number', () => {
  const pace = (...progress: JobProgress[]) => {
    const { percent, seconds_left } = estimateProgress({ state: 'running', progress });
    return [percent, seconds_left];
  };
  expect(pace(file({ bytes: 30, size: 120, seconds: 9 }))).toEqual([25, 27]);
  const half = file({ records: 5, total: 10, seconds: 4 });
  const rest = file({ total: 30 });
  expect(pace(half, rest)).toEqual([12, 28]);
  expect(pace({ ...half, size: 30 }, { ...rest, size: 10 })).toEqual([37, 7]);
  // A job of an earlier version has no sizes of the files that it has finished.
  expect(pace({ ...half, done: true }, { ...rest, size: 10 })).toEqual([25, 12]);
  expect(pace(file({ records: 12, total: 10, seconds: 4 }))).toEqual([99, 0]);
  expect(pace(file({ records: 5 }))).toEqual([undefined, undefined]);
  expect(pace()).toEqual([undefined, undefined]);
  expect(pace(file({ bytes: 0, size: 0 }))).toEqual([undefined, undefined]);
});

it('knows the speed and the share of ended jobs, without time left', () => {
  const progress = [file({ records: 10, total: 20, seconds: 4 })];
  expect(estimateProgress({ state: 'done', progress })).toMatchObject({
    ...{ percent: 100, records_per_second: 3, seconds_left: undefined },
  });
  expect(estimateProgress({ state: 'failed', progress })).toMatchObject({
    ...{ percent: 50, seconds_left: undefined },
  });
});

it('says what a waiting job waits for', () => {
  const job = {
    state: 'waiting',
    from_cli: false,
    blocking_job_id: null,
    quiet_seconds: 1,
  } as const;
  expect(waitingFor(job)).toBe('start');
  expect(waitingFor({ ...job, quiet_seconds: 61 })).toBe('server');
  expect(waitingFor({ ...job, blocking_job_id: '1' })).toBe('job');
  expect(waitingFor({ ...job, from_cli: true })).toBe('command');
  expect(waitingFor({ ...job, state: 'running' })).toBeUndefined();
});
