import { descriptorLimit } from '../../process/descriptor-limit';
import { type WorkerPorts } from './worker-ports';

/** Milliseconds between counts of the connections that wait for a worker. */
const COUNT_MS = 20;
/** The same while too many wait. */
const COUNT_OFTEN_MS = 5;

/** Number of waiting connections above which the iterations of the event loop are delayed. */
const MAX_WAITING = 200;

/** Milliseconds that turns take longer then: about what a worker takes to respond. */
const SLEEP_MS = 0.2;

/** The same with four times as many, when workers do not respond. */
const SLEEP_LONG_MS = 5;

const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Bounds the connections that wait in the parent process for a worker, when all come from proxies.
 * Node accepts one connection in each turn of the event loop, and hands one at a time to each
 * worker. The list between them has no limit, and turns can be shorter than a worker takes to
 * respond. While too many connections wait, turns take longer, so that workers respond meanwhile.
 * Further connections wait in the listen backlog of the kernel, which is bounded.
 *
 * @param ports of the workers
 * @returns a function that stops it
 */
export function paceAccepting(ports: WorkerPorts): () => void {
  const maxWaiting = Math.min(MAX_WAITING, (descriptorLimit() ?? Infinity) / 8);
  let turn: NodeJS.Immediate | undefined;
  let countedAt = 0;
  let waiting = 0;
  const count = (): void => {
    countedAt = performance.now();
    waiting = ports.waiting;
    // At the end, connections in the backlog would be reset.
    if (waiting > maxWaiting && !ports.isClosing) turn ??= setImmediate(sleep);
  };
  const sleep = (): void => {
    turn = undefined;
    Atomics.wait(SLEEPER, 0, 0, waiting > 4 * maxWaiting ? SLEEP_LONG_MS : SLEEP_MS);
    if (performance.now() > countedAt + COUNT_OFTEN_MS) count();
    else turn = setImmediate(sleep);
  };
  const timer = setInterval(count, COUNT_MS).unref();
  return () => {
    clearInterval(timer);
    clearImmediate(turn);
  };
}
