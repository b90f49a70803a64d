import { type RequestContext } from '../../api/http/request-context';
import { setTimeout as pause } from 'node:timers/promises';
import { type TimelinePosition } from './log-position';
import { PositionHistory } from './position-history';
import { FALLBACK_MS, PrimarySelection } from './primary-selection';
import { type Replica } from './replica';
import { ServerMonitor, type ServerState } from './server-monitor';
import { type ServerList } from './server-list';

/** Milliseconds after which the last response of a server no longer counts. */
const SILENCE_MS = 1000;
/** Milliseconds between two checks of {@link ReplicaSet.replayed}. */
const CHECK_MS = 10;

/** Listeners for a failover, and for messages of the log. */
export interface ReplicaEvents {
  /** Another server is the primary now. */
  readonly onPrimary: (url: string) => void;
  readonly log: (message: string) => void;
}

/** A replica as `/metrics` shows it. */
export interface ReplicaReport {
  readonly name: string;
  readonly isUsable: boolean;
  /** Maximum age of its data in seconds; undefined when unknown. */
  readonly lagSeconds: number | undefined;
}

/**
 * The servers of an installation: which one is the primary, and which replicas a read may use.
 *
 * All servers are polled every 100 ms. The age of a replica's data is the time since the primary
 * was at the position that the replica has replayed. Only clocks of this process are compared.
 * Positions are compared only on the timeline of the primary: a replica on another one is left out
 * (D154).
 */
export class ReplicaSet {
  private readonly monitors: ServerMonitor[];
  private readonly states = new Map<string, ServerState | undefined>();
  private readonly selection: PrimarySelection;
  private readonly history: PositionHistory;
  private readonly pinned = new WeakMap<RequestContext, Replica>();
  private readonly wasUsable = new Map<Replica, boolean>();
  /** Cluster and timeline of the primary. */
  private system = '';
  private timeline = 0;
  private turn = 0;
  private events: ReplicaEvents | undefined;
  /** Number of statements of requests by where they ran. */
  readonly reads = { primary: 0, replica: 0 };

  /** @param maxLagMs maximum age of the data of a usable replica, `REPLICA_MAX_LAG_MS` */
  constructor(
    private readonly servers: ServerList,
    private readonly replicas: readonly Replica[],
    private readonly maxLagMs: number,
  ) {
    this.selection = new PrimarySelection(servers, this.states);
    this.history = new PositionHistory(2 * maxLagMs + SILENCE_MS);
    const urls = new Set([...servers.urls, ...replicas.map(({ url }) => url)]);
    this.monitors = [...urls].map(
      (url) =>
        new ServerMonitor(url, (state) => {
          this.polled(url, state);
        }),
    );
  }

  get hasReplicas(): boolean {
    return this.replicas.length > 0;
  }

  /** Whether another server can become the primary. */
  get canFailOver(): boolean {
    return this.servers.urls.length > 1;
  }

  /** Starts to poll; fulfilled when every server was polled once. */
  async start(events: ReplicaEvents): Promise<void> {
    this.events = events;
    await Promise.all(this.monitors.map((monitor) => monitor.start()));
  }

  async close(): Promise<void> {
    this.events = undefined;
    for (const monitor of this.monitors) monitor.close();
    await Promise.allSettled(this.replicas.map((replica) => replica.close()));
  }

  private polled(url: string, state: ServerState | undefined): void {
    const before = this.states.get(url);
    this.states.set(url, state);
    for (const replica of this.replicas.filter((one) => one.url === url)) {
      this.update(replica, state, before);
    }
    if (this.servers.urls.includes(url)) this.findPrimary();
    if (url === this.servers.current && state && this.isPrimary(state)) this.advance(state);
    for (const replica of this.replicas) this.report(replica);
  }

  private update(
    replica: Replica,
    state: ServerState | undefined,
    before: ServerState | undefined,
  ): void {
    if (!state && replica.state) replica.disconnect();
    replica.state = state;
    // Only a position of the primary that was read after that of the replica can show it.
    const written = before?.isStandby ? this.history.positionSince(before.respondedAt) : undefined;
    if (before && written !== undefined) replica.isAhead = before.position > written;
  }

  private findPrimary(): void {
    const { system, msSincePrimaryResponse: silentMs } = this;
    const change = this.selection.update({ system, silentMs });
    if (!change) return;
    if (change.isLeft) {
      // Replicas may follow the former primary: none is used before the primary responds.
      this.history.clear();
      this.timeline = change.timeline ?? this.timeline;
    }
    this.events?.log(change.message);
    this.events?.onPrimary(this.servers.current);
  }

  /** Adds a position of the primary. A promotion makes those before it meaningless. */
  private advance(state: ServerState): void {
    const isSame = state.system === this.system;
    // A proxy can lead to a former primary.
    if (isSame && state.timeline < this.timeline) return;
    if (!isSame || state.timeline > this.timeline) {
      this.history.clear();
      this.system = state.system;
      this.timeline = state.timeline;
    }
    this.history.add(state.askedAt, state.position);
  }

  /** Logs when a replica becomes usable, and when it is left out. */
  private report(replica: Replica): void {
    const isUsable = this.isUsable(replica, 0);
    if (this.wasUsable.get(replica) === isUsable) return;
    const isFirst = !this.wasUsable.has(replica);
    this.wasUsable.set(replica, isUsable);
    if (!isUsable) this.events?.log(`replica ${replica.name} is left out: ${this.reason(replica)}`);
    else if (!isFirst) this.events?.log(`replica ${replica.name} serves reads again`);
  }

  private reason({ state, isAhead }: Replica): string {
    if (!state) return 'it does not answer';
    if (!state.isStandby) return 'it is not a standby';
    if (!this.follows(state)) {
      const timelines = [state.timeline, this.timeline].map((timeline) => timeline || 'unknown');
      return `its timeline is ${timelines[0]}, that of the primary server ${timelines[1]}`;
    }
    return isAhead ? 'it has data that the primary server does not have' : 'it lags behind';
  }

  private isPrimary(state: ServerState): boolean {
    const isFormer = this.canFailOver && this.servers.knownTimeline.isFormer(state);
    return !state.isStandby && !isFormer;
  }

  /** Whether the primary answers. */
  get hasPrimary(): boolean {
    const state = this.states.get(this.servers.current);
    return state !== undefined && this.isPrimary(state);
  }

  /** Milliseconds since the primary last responded; Infinity if it has not yet. */
  get msSincePrimaryResponse(): number {
    return performance.now() - (this.history.latest?.at ?? -Infinity);
  }

  /** A replica for reads that need the latest data, when no primary has responded for seconds. */
  get fallbackReplica(): Replica | undefined {
    if (this.hasPrimary || this.msSincePrimaryResponse < FALLBACK_MS) return undefined;
    const usable = this.replicas.filter((replica) => this.isUsable(replica, 0));
    return usable.sort((one, other) => one.waiting - other.waiting)[0];
  }

  /** Whether a standby is on the timeline of the primary that this process uses. */
  private follows(state: ServerState): boolean {
    return state.isStandby && state.timeline === this.timeline;
  }

  /**
   * The position that a replica must have replayed to contain a write.
   *
   * The first known position on the timeline of the primary is not before the promotion, and every
   * usable replica has replayed it. It therefore has each write of older timelines that the primary
   * has.
   *
   * @param write end of the write, as the primary that committed it reported it
   * @returns Infinity when only a newer primary has the write
   */
  requiredPosition({ timeline = this.timeline, position }: TimelinePosition): number {
    if (timeline > this.timeline) return Infinity;
    return timeline < this.timeline ? 0 : position;
  }

  /** For a write with an unknown position: no replica on the current timeline reaches it. */
  get unknownPosition(): TimelinePosition {
    return { timeline: this.timeline, position: Number.MAX_SAFE_INTEGER };
  }

  /**
   * Milliseconds by which the data of a replica may be old. While no primary answers, the age when
   * it last did counts: nothing newer is known, and reads stay available during a failover.
   */
  private ageOf(position: number): number {
    const at = this.history.currentAt(position) ?? -Infinity;
    const { latest } = this.history;
    const now = performance.now();
    return (this.hasPrimary || !latest ? now : latest.at) - at;
  }

  private isUsable(replica: Replica, minPosition: number): boolean {
    const { position, state } = replica;
    if (position === undefined || !state || position < minPosition) return false;
    if (!this.follows(state)) return false;
    if (performance.now() - state.respondedAt > SILENCE_MS) return false;
    return this.ageOf(position) <= this.maxLagMs;
  }

  /** Whether any replica serves reads. */
  get isAnyUsable(): boolean {
    return this.replicas.some((replica) => this.isUsable(replica, 0));
  }

  /**
   * The replica for the reads of a request: always the same, so that its statements see no older
   * data than those before. Load balancing: replicas take turns, those with fewer waiting
   * statements first. Undefined when the request must read from the primary.
   */
  replicaFor(request: RequestContext | undefined): Replica | undefined {
    const { reads } = request ?? {};
    if (!request || !reads || reads.minPosition === Infinity) return undefined;
    const pinned = this.pinned.get(request);
    if (pinned) return this.isUsable(pinned, reads.minPosition) ? pinned : undefined;
    this.turn += 1;
    const { replicas, turn } = this;
    let best: Replica | undefined;
    for (let offset = 0; offset < replicas.length; offset += 1) {
      const replica = replicas[(turn + offset) % replicas.length] as Replica;
      if (!this.isUsable(replica, reads.minPosition)) continue;
      if (!best || replica.waiting < best.waiting) best = replica;
    }
    if (best) {
      this.pinned.set(request, best);
      reads.replicaPosition = best.position;
    }
    return best;
  }

  /**
   * Waits until every replica has replayed a position, at most as long as a replica may lag behind:
   * after that, no process uses one that lacks it. Replicas that this process cannot reach count as
   * well, because others may reach them.
   */
  async replayed(position: number): Promise<void> {
    const deadline = performance.now() + this.maxLagMs;
    const isBehind = ({ state, position: reached = 0 }: Replica): boolean =>
      !state || !this.follows(state) || reached < position;
    while (performance.now() < deadline && this.replicas.some(isBehind)) await pause(CHECK_MS);
  }

  /** The state of the replicas, for metrics. */
  reports(): ReplicaReport[] {
    return this.replicas.map((replica) => {
      const { state } = replica;
      const age = state && this.follows(state) ? this.ageOf(state.position) : Infinity;
      const lagSeconds = Number.isFinite(age) ? Math.max(0, age) / 1000 : undefined;
      return { name: replica.name, isUsable: this.isUsable(replica, 0), lagSeconds };
    });
  }
}
