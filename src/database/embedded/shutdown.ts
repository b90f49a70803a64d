import { setTimeout as delay } from 'node:timers/promises';
import { findPostmaster } from './pid-file';
import { isAlive, run } from './process';

/** Milliseconds for a server to write its data and stop. */
const STOP_MS = 60_000;

/** Returns the path of pg_ctl, which only Windows needs. */
export type PgCtl = () => Promise<string>;

/**
 * Stops a server with a fast shutdown, which ends sessions and writes all data to the disk. It
 * waits for the end of the server.
 *
 * @throws Error when the server still runs after a minute
 */
export async function stopPostmaster(cluster: string, pid: number, pgCtl: PgCtl): Promise<void> {
  await beginFastShutdown(cluster, pid, pgCtl);
  const deadline = Date.now() + STOP_MS;
  for (let pause = 5; await isAlive(pid); pause = Math.min(pause * 1.5, 100)) {
    if (Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`);
    }
    await delay(pause);
  }
}

/**
 * Begins a fast shutdown of a server that is already stopping. After SIGTERM (a smart shutdown),
 * PostgreSQL accepts no connections, but waits for the end of sessions that processes of the service
 * keep open. A fast shutdown that another process has begun is not disturbed.
 *
 * @returns whether the server is stopping
 */
export async function hastenShutdown(cluster: string, pgCtl: PgCtl): Promise<boolean> {
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
