import { FailureLogLimit } from './failure-log-limit';

let limit: FailureLogLimit;
beforeEach(() => {
  limit = new FailureLogLimit();
});

/** Counts requests with status 503. @returns the numbers to report */
const counts = (...messages: string[]): number[] =>
  messages.map((message) => limit.countFailure(new Error(message), 503));

it('reports a cause of 503 once', () => {
  expect(counts('full', 'full', 'down', 'full')).toEqual([1, 0, 1, 0]);
});

it('reports all other failures', () => {
  const failure = new Error('failed');
  expect([1, 2].map(() => limit.countFailure(failure, 500))).toEqual([1, 1]);
});

it('reports the number of requests since the last time after a minute', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
  counts('full', 'full', 'full');
  now.mockReturnValue(61_000);
  expect(counts('full', 'full')).toEqual([3, 0]);
  now.mockRestore();
});

it('counts a hundred causes, and all others as one', () => {
  const reported = counts(...Array.from({ length: 1000 }, (_, at) => `cause ${at}`));
  expect(reported.filter((count) => count > 0)).toHaveLength(101);
});
