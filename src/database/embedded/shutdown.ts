import { setTimeout as delay } from 'node:timers/promises';
import { findPostmaster } from './pid-file';
import { childrenOf, isAlive, run } from './process';

/** Milliseconds for a server to write its data and stop. */
const STOP_MS = 60_000;
/** Milliseconds for a server to record that it stops; after that it does not respond to signals. */
const ACKNOWLEDGE_MS = 3_000;
/** Milliseconds for killed processes to end. */
const KILL_MS = 5_000;

/** Returns the path of pg_ctl, which only Windows needs. */
export type PgCtl = () => Promise<string>;

/**
 * Stops a server with a fast shutdown, which ends sessions and writes all data to the disk. It
 * waits for the end of the server. A server that does not respond, such as a frozen one, is killed:
 * it recovers from its log at the next start.
 *
 * @returns whether the server was killed
 * @throws Error when the server still runs after a minute, or five seconds after it was killed
 */
export async function stopPostmaster(cluster: string, pid: number, pgCtl: PgCtl): Promise<boolean> {
  await beginFastShutdown(cluster, pid, pgCtl);
  const begun = performance.now();
  let isAcknowledged = false;
  for (let pause = 5; await isAlive(pid); pause = Math.min(pause * 1.5, 100)) {
    isAcknowledged ||= (await findPostmaster(cluster))?.isStopping === true;
    const elapsed = performance.now() - begun;
    if (!isAcknowledged && elapsed > ACKNOWLEDGE_MS) {
      await killServer(pid);
      return true;
    }
    if (elapsed > STOP_MS) throw doesNotStop(pid);
    await delay(pause);
  }
  return false;
}

/**
 * Begins a fast shutdown of a server that is already stopping. After SIGTERM (a smart shutdown),
 * PostgreSQL accepts no connections, but waits for the end of sessions that processes of the
 * service keep open. A fast shutdown that another process has begun is not disturbed.
 *
 * @returns whether the server is stopping
 */
export async function escalateToFastShutdown(cluster: string, pgCtl: PgCtl): Promise<boolean> {
  const running = await findPostmaster(cluster);
  if (!running?.isStopping) return false;
  await beginFastShutdown(cluster, running.pid, pgCtl);
  return true;
}

async function beginFastShutdown(cluster: string, pid: number, pgCtl: PgCtl): Promise<void> {
  if (process.platform === 'win32') {
    await run(await pgCtl(), ['stop', '-s', '-W', '-D', cluster, '-m', 'fast']);
  } else {
    signal(pid, 'SIGINT');
  }
}

/**
 * Kills a server and its processes. Frozen processes would not notice the end of their server, and
 * would prevent its next start.
 */
async function killServer(pid: number): Promise<void> {
  const pids = [pid, ...(await childrenOf(pid))];
  for (const one of pids) signal(one, 'SIGKILL');
  const deadline = performance.now() + KILL_MS;
  for (const one of pids) {
    while (await isAlive(one)) {
      if (performance.now() > deadline) throw doesNotStop(one);
      await delay(10);
    }
  }
}

const doesNotStop = (pid: number): Error =>
  new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
