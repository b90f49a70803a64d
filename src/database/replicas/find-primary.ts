import { type ClusterTimeline } from './known-timeline';
import { ServerMonitor, type ServerState } from './server-monitor';

/** The last response of each server by its address; undefined when it did not respond. */
export type ServerStates = ReadonlyMap<string, ServerState | undefined>;

/** A server that accepts writes. */
export interface Primary extends ClusterTimeline {
  readonly url: string;
}

/**
 * The primary among several servers: the one that accepts writes, with the highest timeline if there
 * are several, because a former primary may have returned. It may be a former one itself: see
 * {@link findLater}.
 */
export function primaryOf(urls: readonly string[], states: ServerStates): Primary | undefined {
  let best: Primary | undefined;
  for (const url of urls) {
    const state = states.get(url);
    if (!state || state.isStandby) continue;
    const { system, timeline } = state;
    if (!best || timeline > best.timeline) best = { url, system, timeline };
  }
  return best;
}

/**
 * A server with a later timeline than one that accepts writes. It is a standby of the primary, which
 * does not respond: the other server is a former primary.
 */
export function findLater(
  { system, timeline }: Primary,
  urls: readonly string[],
  states: ServerStates,
): Primary | undefined {
  for (const url of urls) {
    const state = states.get(url);
    if (state?.system === system && state.timeline > timeline)
      return { url, system, timeline: state.timeline };
  }
  return undefined;
}

/** What one poll of all servers tells. */
export interface FoundPrimary {
  readonly primary: Primary | undefined;
  /** A server with a later timeline; see {@link findLater}. */
  readonly later: Primary | undefined;
  /** Whether no other server can be the primary: all responded or refused the connection. */
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
  return {
    primary,
    later: primary && findLater(primary, urls, states),
    isCertain: isCertain && primary !== undefined,
  };
}
