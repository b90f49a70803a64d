import { setImmediate } from 'node:timers/promises';
import { unavailable } from '../errors/error-codes';
import { type Attempt, type BeginResult } from './idempotency';
import { ResponseStorage } from './response-storage';

const RESPONSE = { body: '{}', contentType: 'application/json' };

/** An attempt whose statements end when the test says so. */
class SlowAttempt implements Attempt {
  readonly statements: { succeed: () => void; fail: (error: Error) => void }[] = [];

  readonly mayHaveClaimed = false;

  begin(): Promise<BeginResult> {
    return Promise.resolve({ state: 'fresh' });
  }

  storeResponse(): Promise<void> {
    return new Promise((succeed, fail) => this.statements.push({ succeed, fail }));
  }

  release(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

let storage: ResponseStorage;
let attempt: SlowAttempt;
let stopped: boolean;
beforeEach(() => {
  storage = new ResponseStorage();
  attempt = new SlowAttempt();
  stopped = false;
});

function stop(): Promise<void> {
  return storage.stop().then(() => {
    stopped = true;
  });
}

it('the stop waits for a first attempt that is running', async () => {
  const storing = storage.store(attempt, RESPONSE);
  const stopping = stop();
  await setImmediate();
  expect(stopped).toBe(false);
  attempt.statements[0]?.succeed();
  await Promise.all([storing, stopping]);
  expect(attempt.statements).toHaveLength(1);
});

it('a first attempt that fails during the stop is followed by a last one', async () => {
  const storing = storage.store(attempt, RESPONSE);
  const stopping = stop();
  await setImmediate();
  attempt.statements[0]?.fail(unavailable(new Error('no connection')));
  while (attempt.statements.length < 2) await setImmediate();
  expect(stopped).toBe(false);
  attempt.statements[1]?.succeed();
  await Promise.all([storing, stopping]);
});

it('the stop waits for nothing when nothing is stored', async () => {
  await stop();
  expect(stopped).toBe(true);
});
