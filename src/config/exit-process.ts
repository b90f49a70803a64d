import { isLogBlocked } from './line-batches';

/**
 * Ends the process with a status. `process.exit` waits for the threads of the thread pool. One of them
 * hangs while standard output is a pipe or terminal without a reader. Then the process ends with
 * SIGKILL: close everything before that must not be killed.
 */
export function exitProcess(status: number): never {
  const isInThread = process.getActiveResourcesInfo().includes('FSReqCallback');
  if (isLogBlocked() && isInThread) process.kill(process.pid, 'SIGKILL');
  return process.exit(status);
}
