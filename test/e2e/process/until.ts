import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which waiting for a condition fails. */
const TIMEOUT_MS = 60_000;
/** Milliseconds between two checks, which leave the processors to the awaited work. */
const POLL_MS = 5;

/** Waits until a condition holds. @throws Error after a minute */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not true after ${TIMEOUT_MS} ms`);
    await pause(POLL_MS);
  }
}
