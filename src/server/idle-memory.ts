import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two checks of the memory. */
const CHECK_MS = 5000;

/** Maximum event-loop utilization of an idle process. */
const IDLE_SHARE = 0.2;

/** Minimum growth of the memory in bytes that justifies the pause of a collection. */
const GROWTH = 32 * 1024 * 1024;

/** Minimum number of freed bytes after which the next compaction may free more. */
const MIN_FREED = 8 * 1024 * 1024;

/** Number of closed connections that justifies another compaction of a process with little memory. */
const MIN_CLOSED = 64;

/** Number of checks in a row in which the process was idle before its memory is compacted. */
const IDLE_CHECKS = 3;

/** Maximum number of checks between two compactions that free nothing: 32 minutes. */
const MAX_PAUSE_CHECKS = 384;

/** The memory of a process, and what holds it. Tests replace it. */
export interface CollectableMemory {
  /** Share of the time since the last call in which the event loop was busy, 0 to 1. */
  utilization(): number;
  /** Bytes of the heap and of buffers outside it. */
  size(): number;
  /** Number of open connections. */
  openConnections(): number;
  /** Collects garbage. */
  collect(): void;
  /** Collects garbage, and frees pages of the young generation and compiled functions. */
  compact(): void;
}

/** V8's `gc`. Node 20 ignores the options. */
type Collector = (options?: { type: 'major'; flavor: 'last-resort' }) => void;

/** Returns V8's `gc` function, which requires a flag. */
function findCollector(): Collector {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/** The memory of this process: the heap of V8 and its buffers. */
export class ProcessMemory implements CollectableMemory {
  private readonly gc = findCollector();
  private since: EventLoopUtilization = performance.eventLoopUtilization();

  utilization(): number {
    const { utilization } = performance.eventLoopUtilization(this.since);
    this.since = performance.eventLoopUtilization();
    return utilization;
  }

  /**
   * Buffers outside the heap are freed with their objects in the heap. Unlike
   * `process.memoryUsage`, this needs no file descriptor, and works when all are in use.
   */
  size(): number {
    const { total_heap_size, external_memory } = getHeapStatistics();
    return total_heap_size + external_memory;
  }

  openConnections(): number {
    return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  }

  collect(): void {
    this.gc();
    // The first collection keeps the pages that it empties.
    this.gc();
  }

  compact(): void {
    // The collection of the last resort alone keeps buffers of closed connections.
    this.gc();
    this.gc({ type: 'major', flavor: 'last-resort' });
  }
}

/**
 * Collects garbage when the process becomes idle after its memory grew. V8 collects on allocation:
 * after a burst of requests an idle process would keep its garbage for hours. When it stays idle,
 * the memory is compacted, too, which also frees the pages of the young generation (about 60 MB)
 * and compiled functions, and takes 0.2 s.
 *
 * Open connections may hold memory at that time, without any activity of the process. The memory is
 * therefore compacted again while it is larger than after an earlier collection, while the last
 * compaction freed memory, and after connections were closed. The pause doubles with each
 * compaction that frees nothing, and compactions end at its maximum, so that an idle process
 * becomes quiet.
 */
export class IdleMemory {
  private readonly timer: NodeJS.Timeout;
  /** Size after the last collection. */
  private sizeAfter: number | undefined;
  /** Smallest size after a collection. */
  private smallest = Infinity;
  private idleChecks = 0;
  /** Whether a compaction may free memory. */
  private isDue = false;
  /** Checks between two compactions, and those left until the next one. */
  private pause = IDLE_CHECKS;
  private pauseLeft = 0;
  /** Most connections open at once since the last compaction. */
  private mostOpen = 0;

  constructor(private readonly memory: CollectableMemory = new ProcessMemory()) {
    this.timer = setInterval(() => {
      this.check();
    }, CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Collects or compacts if it is time to. The timer calls it every 5 seconds. */
  check(): void {
    const { memory } = this;
    this.idleChecks = memory.utilization() > IDLE_SHARE ? 0 : this.idleChecks + 1;
    this.pauseLeft -= 1;
    const open = memory.openConnections();
    this.mostOpen = Math.max(this.mostOpen, open);
    const minClosed = this.isLarge ? 1 : MIN_CLOSED;
    if (this.mostOpen - open >= minClosed) this.isDue = true;
    if (this.idleChecks === 0) return;
    const size = memory.size();
    if (this.sizeAfter === undefined || size >= this.sizeAfter + GROWTH) this.collect();
    else if (this.isDue && this.idleChecks >= IDLE_CHECKS && this.pauseLeft <= 0) {
      this.compact(size, open);
    }
  }

  private collect(): void {
    this.memory.collect();
    this.rememberSize();
    this.isDue = true;
    this.pause = IDLE_CHECKS;
    this.pauseLeft = 0;
  }

  private compact(sizeBefore: number, open: number): void {
    this.memory.compact();
    const size = this.rememberSize();
    const hasFreed = sizeBefore - size >= MIN_FREED;
    this.pause = hasFreed ? IDLE_CHECKS : Math.min(this.pause * 2, MAX_PAUSE_CHECKS);
    this.pauseLeft = this.pause;
    this.isDue = hasFreed || (this.isLarge && this.pause < MAX_PAUSE_CHECKS);
    this.mostOpen = open;
  }

  /** Whether the last collection left more memory than an earlier one. */
  private get isLarge(): boolean {
    return this.sizeAfter !== undefined && this.sizeAfter >= this.smallest + GROWTH;
  }

  private rememberSize(): number {
    const size = this.memory.size();
    this.sizeAfter = size;
    this.smallest = Math.min(this.smallest, size);
    return size;
  }
}
