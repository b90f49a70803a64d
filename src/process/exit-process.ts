import { isLogBlocked } from '../config/line-batches';

/**
 * Ends the process with a status. `process.exit` waits for the threads of the thread pool. One of
 * them hangs while standard output is a pipe or terminal without a reader. Then the process ends
 * with SIGKILL. Callers must first close everything that SIGKILL would damage.
 */
export function exitProcess(status: number): never {
  const hasRunningFileRequest = process.getActiveResourcesInfo().includes('FSReqCallback');
  if (isLogBlocked() && hasRunningFileRequest) process.kill(process.pid, 'SIGKILL');
  return process.exit(status);
}
