import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two checks of the memory. */
const CHECK_MS = 5000;

/** Maximum event-loop utilization of an idle process. */
const IDLE_SHARE = 0.2;

/** Minimum growth of the memory in bytes that justifies the pause of a collection. */
const GROWTH = 32 * 1024 * 1024;

/** Number of checks in a row in which the process was idle before its memory is compacted. */
const IDLE_CHECKS = 3;

/** V8's `gc`. Node 20 ignores the options. */
type Collector = (options?: { type: 'major'; flavor: 'last-resort' }) => void;

/** Returns V8's `gc` function, which requires a flag. */
function findCollector(): Collector {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * The heap and the buffers outside it, which are freed with their objects in the heap. Unlike
 * `process.memoryUsage`, this needs no file descriptor, and works when all are in use.
 */
function collectableBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/**
 * Collects garbage when the process becomes idle after its memory grew. V8 collects on allocation:
 * after a burst of requests an idle process would keep its garbage for hours. When it stays idle,
 * the memory is compacted, too, which also frees the pages of the young generation (about 60 MB)
 * and compiled functions, and takes 0.2 s.
 */
export class IdleMemory {
  private readonly collect = findCollector();
  private since: EventLoopUtilization = performance.eventLoopUtilization();
  private sizeAfter: number | undefined;
  private idleChecks = 0;
  private isCompact = false;
  private readonly timer = setInterval(() => {
    this.check();
  }, CHECK_MS).unref();

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const { utilization } = performance.eventLoopUtilization(this.since);
    this.since = performance.eventLoopUtilization();
    this.idleChecks = utilization > IDLE_SHARE ? 0 : this.idleChecks + 1;
    if (this.idleChecks === 0) return;
    const size = collectableBytes();
    if (this.sizeAfter === undefined || size >= this.sizeAfter + GROWTH) this.collectGarbage();
    else if (this.idleChecks >= IDLE_CHECKS && !this.isCompact) this.compact();
  }

  private collectGarbage(): void {
    this.collect();
    // The first collection keeps the pages that it empties.
    this.collect();
    this.sizeAfter = collectableBytes();
    this.isCompact = false;
  }

  private compact(): void {
    this.collect({ type: 'major', flavor: 'last-resort' });
    this.sizeAfter = collectableBytes();
    this.isCompact = true;
  }
}
