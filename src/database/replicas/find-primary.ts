import { ServerMonitor, type ServerState } from './server-monitor';

/** The last response of each server by its address; undefined when it did not respond. */
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

/** What one poll of all servers tells. */
export interface FoundPrimary {
  readonly primary: Primary | undefined;
  /**
   * Whether no other server can be the primary: all responded or refused the connection, and none is
   * on a higher timeline.
   */
  readonly isCertain: boolean;
}

/** Polls all servers once. */
export async function findPrimary(urls: readonly string[]): Promise<FoundPrimary> {
  const states = new Map<string, ServerState | undefined>();
  let isCertain = true;
  await Promise.all(
    urls.map(async (url) => {
      const monitor = new ServerMonitor(url, (state) => states.set(url, state));
      await monitor.start();
      if (!states.get(url) && monitor.isSilent) isCertain = false;
      monitor.close();
    }),
  );
  const primary = primaryOf(urls, states);
  const highest = Math.max(...[...states.values()].map((state) => state?.timeline ?? 0));
  return { primary, isCertain: isCertain && primary !== undefined && highest <= primary.timeline };
}
