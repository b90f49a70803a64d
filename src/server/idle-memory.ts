import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks at the heap. */
const LOOK_MS = 5000;

/** Share of the time that the event loop works at most while the process counts as idle. */
const IDLE_SHARE = 0.2;

/** Bytes by which the heap has grown at least before it is worth a pause. */
const GROWTH = 32 * 1024 * 1024;

/** V8's own function, which scripts see only when a flag says so. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * Collects garbage when the process has become idle after its heap grew. V8 collects when memory is
 * allocated: after a burst of requests an idle process would hold its garbage for hours.
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
    // The first leaves pages that it has just emptied.
    this.collect();
    this.heapAfter = process.memoryUsage().heapTotal;
  }
}
