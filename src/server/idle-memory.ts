import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two checks of the heap. */
const LOOK_MS = 5000;

/** Maximum event-loop utilization of an idle process. */
const IDLE_SHARE = 0.2;

/** Minimum growth of the heap in bytes that justifies the pause of a collection. */
const GROWTH = 32 * 1024 * 1024;

/** Returns V8's `gc` function, which requires a flag. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * Collects garbage when the process becomes idle after its heap grew. V8 collects on allocation:
 * after a burst of requests an idle process would keep its garbage for hours.
 */
export class IdleMemory {
  private readonly collect = findCollector();
  private since: EventLoopUtilization = performance.eventLoopUtilization();
  private heapAfter: number | undefined;
  private readonly timer = setInterval(() => {
    this.look();
  }, LOOK_MS).unref();

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { utilization } = performance.eventLoopUtilization(this.since);
    this.since = performance.eventLoopUtilization();
    if (utilization > IDLE_SHARE) return;
    const heap = process.memoryUsage().heapTotal;
    if (this.heapAfter !== undefined && heap < this.heapAfter + GROWTH) return;
    this.collect();
    // The first collection keeps the pages that it empties.
    this.collect();
    this.heapAfter = process.memoryUsage().heapTotal;
  }
}
