import { setTimeout as pause } from 'node:timers/promises';

/** Longest that a condition is waited for, in milliseconds. */
const PATIENCE = 60_000;
/** Milliseconds between two looks, which leave the processors to what is waited for. */
const POLL_MS = 5;

/** Waits until a condition holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not true after ${PATIENCE} ms`);
    await pause(POLL_MS);
  }
}
