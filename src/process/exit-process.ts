import { setTimeout as pause } from 'node:timers/promises';
import { isLogBlocked } from '../config/line-batches';

/**
 * Names in `process.getActiveResourcesInfo()` of operations that occupy a thread of libuv and may
 * hang: operations on files, and DNS lookups.
 */
const THREAD_REQUESTS = new Set([
  ...['FSReqCallback', 'FSReqPromise', 'CloseReq'],
  ...['GetAddrInfoReqWrap', 'GetNameInfoReqWrap'],
]);

/** Milliseconds that requests of threads have to end before the process is killed. */
const THREADS_MS = 1000;
/** The same after a second signal. */
const URGENT_THREADS_MS = 200;
/** Interval of checks whether they have ended. */
const CHECK_MS = 20;

const hasThreadRequest = (): boolean =>
  process.getActiveResourcesInfo().some((name) => THREAD_REQUESTS.has(name));

/**
 * Ends the process with SIGKILL after the `exit` listeners, which stop child processes:
 * `process.exit` would wait for all threads of the thread pool.
 */
function killProcess(): never {
  process.once('exit', () => {
    process.kill(process.pid, 'SIGKILL');
  });
  return process.exit();
}

/**
 * Ends the process with a status. `process.exit` waits for the threads of the thread pool. One of
 * them hangs while standard output is a pipe or terminal without a reader. Then the process ends
 * with SIGKILL. Callers must first close everything that SIGKILL would damage.
 */
export function exitProcess(status: number): never {
  const hasRunningFileRequest = process.getActiveResourcesInfo().includes('FSReqCallback');
  return isLogBlocked() && hasRunningFileRequest ? killProcess() : process.exit(status);
}

/** Ends the process when requests of threads have ended, with SIGKILL after `patience` (ms). */
async function exitAfterThreads(status: number, patience: number): Promise<never> {
  const deadline = performance.now() + patience;
  while (hasThreadRequest() && performance.now() < deadline) await pause(CHECK_MS);
  return hasThreadRequest() ? killProcess() : process.exit(status);
}

/**
 * Ends the process with a status when operations on files and DNS lookups have ended. If they
 * take longer than a second, for example because a network file system hangs, it ends with SIGKILL.
 * Callers must first close everything that SIGKILL would damage.
 */
export function exitWithoutHanging(status: number): Promise<never> {
  return exitAfterThreads(status, THREADS_MS);
}

/**
 * Like {@link exitWithoutHanging}, but waits 0.2 seconds at most: for callers whose own work does
 * not end. Operations that hang end the process with SIGKILL, short ones only if there is always one.
 */
export function exitUrgently(status: number): Promise<never> {
  return exitAfterThreads(status, URGENT_THREADS_MS);
}
