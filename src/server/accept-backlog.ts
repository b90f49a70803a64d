import { setImmediate as turn } from 'node:timers/promises';

/**
 * Accepts the connections that the kernel has completed, until there are no more.
 *
 * @param accepted number of accepted connections so far
 * @param deadline latest end, by `performance.now()`
 * @param someWait whether accepted connections wait for the service
 */
export async function acceptBacklog(
  accepted: () => number,
  deadline: number,
  someWait: () => boolean = () => false,
): Promise<void> {
  for (let before = -1; before !== accepted() || someWait();) {
    if (performance.now() >= deadline) return;
    before = accepted();
    // The event loop polls between two turns, and accepts pending connections.
    await turn();
    await turn();
  }
}
