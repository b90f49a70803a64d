import { findLaterServer, primaryOf, type Primary, type ServerStates } from './find-primary';
import { hostOf, type ServerList } from './server-list';

/** Milliseconds without a response of the primary after which it is replaced, if another can do so. */
export const FALLBACK_MS = 2000;

/** What a process knows about its last primary. */
export interface LastPrimary {
  /** Identifier of its cluster; empty when it is not known. */
  readonly system: string;
  /** Milliseconds since it last responded; Infinity if it has not yet. */
  readonly silentMs: number;
}

/** Another server was selected. */
export interface SelectionChange {
  /** For the log. */
  readonly message: string;
  /** Whether the server before it is a former primary, and this one rejects writes. */
  readonly isLeft: boolean;
  /** Timeline of the primary after a former one was left; undefined when no standby responded. */
  readonly timeline?: number | undefined;
}

/** Selects the primary among several servers by their responses. */
export class PrimarySelection {
  constructor(
    private readonly servers: ServerList,
    private readonly states: ServerStates,
  ) {}

  /** Selects the primary, or a server that rejects writes while only former primaries accept them. */
  update(last: LastPrimary): SelectionChange | undefined {
    const { urls, knownTimeline } = this.servers;
    // Wait for all servers: the first response may come from a former primary.
    if (urls.some((url) => !this.states.has(url))) return undefined;
    const best = primaryOf(urls, this.states, last.system || knownTimeline.system);
    if (!best || this.isOfOtherCluster(best, last)) return undefined;
    const later = findLaterServer(best, urls, this.states);
    knownTimeline.remember(later ?? best);
    if (knownTimeline.isFormer(best)) return this.leave(later);
    if (!this.servers.select(best.url)) return undefined;
    const message = `the primary server of the database is now ${hostOf(best.url)}`;
    return { message, isLeft: false };
  }

  /**
   * Whether a server belongs to another cluster than the last primary. Such a server becomes the
   * primary only when the cluster has vanished, not when its primary misses a poll.
   */
  private isOfOtherCluster({ system }: Primary, last: LastPrimary): boolean {
    if (last.system === '' || system === last.system) return false;
    const isHere = [...this.states.values()].some((state) => state?.system === last.system);
    return isHere || last.silentMs < FALLBACK_MS;
  }

  /**
   * Leaves a former primary, if it is the current server. Connections to the server that is selected
   * instead fail, so that writes wait for the primary.
   *
   * @param later a standby of the primary, if one responds
   */
  private leave(later: Primary | undefined): SelectionChange | undefined {
    const { urls, current } = this.servers;
    const isWritable = (url: string): boolean => this.states.get(url)?.isStandby === false;
    if (!isWritable(current)) return undefined;
    const other = later?.url ?? urls.find((url) => !isWritable(url));
    if (other === undefined || !this.servers.select(other)) return undefined;
    const reason = later
      ? `${hostOf(later.url)} has a later timeline`
      : 'its timeline is an earlier one';
    const message = `${hostOf(current)} is a former primary server: ${reason}`;
    return { message, isLeft: true, timeline: later?.timeline };
  }
}
