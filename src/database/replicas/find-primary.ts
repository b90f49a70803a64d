import { ServerMonitor, type ServerState } from './server-monitor';

/** The last response of each server by its address; undefined when it did not answer. */
export type ServerStates = ReadonlyMap<string, ServerState | undefined>;

/** A server that accepts writes. */
export interface Primary {
  readonly url: string;
  readonly timeline: number;
}

/**
 * The primary among several servers: the one that accepts writes, with the highest timeline if there
 * are several, because a former primary may have returned.
 */
export function primaryOf(urls: readonly string[], states: ServerStates): Primary | undefined {
  let best: Primary | undefined;
  for (const url of urls) {
    const state = states.get(url);
    if (!state || state.isStandby) continue;
    if (!best || state.timeline > best.timeline) best = { url, timeline: state.timeline };
  }
  return best;
}

/** Polls all servers once. */
export async function pollAll(urls: readonly string[]): Promise<ServerStates> {
  const states = new Map<string, ServerState | undefined>();
  await Promise.all(
    urls.map(async (url) => {
      const monitor = new ServerMonitor(url, (state) => states.set(url, state));
      await monitor.start();
      monitor.close();
    }),
  );
  return states;
}
