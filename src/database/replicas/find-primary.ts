import { type ClusterTimeline } from './known-timeline';
import { ServerMonitor, type ServerState } from './server-monitor';

/** The last response of each server by its address; undefined when it did not respond. */
export type ServerStates = ReadonlyMap<string, ServerState | undefined>;

/** A server that accepts writes. */
export interface Primary extends ClusterTimeline {
  readonly url: string;
}

/** The servers that match, with the highest timeline first. */
function latestOf(
  urls: readonly string[],
  states: ServerStates,
  matches: (state: ServerState) => boolean,
): Primary[] {
  const found: Primary[] = [];
  for (const url of urls) {
    const state = states.get(url);
    if (!state || !matches(state)) continue;
    found.push({ url, system: state.system, timeline: state.timeline });
  }
  return found.sort((one, other) => other.timeline - one.timeline);
}

/**
 * The primary among several servers: the one that accepts writes, with the highest timeline if there
 * are several, because a former primary may have returned. It may be a former one itself: see
 * {@link findLaterServer}.
 *
 * @param system identifier of the cluster whose servers take precedence
 */
export function primaryOf(
  urls: readonly string[],
  states: ServerStates,
  system = '',
): Primary | undefined {
  const writable = latestOf(urls, states, ({ isStandby }) => !isStandby);
  return writable.find((server) => server.system === system) ?? writable[0];
}

/**
 * Finds the server with the latest timeline, if that is later than the one of a server that accepts
 * writes. It is a standby of the primary, so the given server is a former primary.
 */
export const findLaterServer = (
  { system, timeline }: Primary,
  urls: readonly string[],
  states: ServerStates,
): Primary | undefined =>
  latestOf(urls, states, (state) => state.system === system && state.timeline > timeline)[0];

/** Result of one poll of all servers. */
export interface FoundPrimary {
  readonly primary: Primary | undefined;
  /** A server with a later timeline; see {@link findLaterServer}. */
  readonly later: Primary | undefined;
  /**
   * Whether no other server can be the primary: one accepts writes, and the others responded or refused
   * the connection.
   */
  readonly isCertain: boolean;
}

/** Polls all servers once. @param system as in {@link primaryOf} */
export async function findPrimary(urls: readonly string[], system = ''): Promise<FoundPrimary> {
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
  const primary = primaryOf(urls, states, system);
  return {
    primary,
    later: primary && findLaterServer(primary, urls, states),
    isCertain: isCertain && primary !== undefined,
  };
}
