import { open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAlive, mayBePostmaster } from './process';

/** A process id that no system assigns. */
const NOBODY_PID = 2_147_483_647;

/** Lines of postmaster.pid, counted from 0. */
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** A server that runs on a cluster. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Whether it has been told to stop: it accepts no more connections. */
  isStopping: boolean;
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/**
 * The server that runs (or starts, or stops) on a cluster, according to its postmaster.pid;
 * undefined when there is none.
 *
 * @throws Error when the file cannot be read
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readPidFile(cluster)).split('\n');
  const [pid, directory] = lines;
  const port = lines[PORT_LINE];
  if (!pid || !directory || !port || resolve(directory) !== resolve(cluster)) return undefined;
  const isStopping = lines[STATUS_LINE]?.trim() === 'stopping';
  const found = { pid: Math.abs(Number(pid)), port: Number(port), isStopping };
  if (!(found.pid > 0) || !(await isAlive(found.pid))) return undefined;
  return (await mayBePostmaster(found.pid, cluster)) ? found : undefined;
}

async function readPidFile(cluster: string): Promise<string> {
  return readFile(pidFileOf(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** The port of a killed server, which running processes still use. */
export async function portOfKilledServer(cluster: string): Promise<number | undefined> {
  const port = Number((await readPidFile(cluster)).split('\n')[PORT_LINE]);
  return port > 0 && port < 65_536 ? port : undefined;
}

/**
 * At start, PostgreSQL assumes that any process with the id in a stale postmaster.pid is a running
 * server. The process may be another program with a reused id, or a zombie. This replaces only the
 * id, because PostgreSQL uses the rest of the file to detect live sessions of a killed server. An
 * empty file, which a full disk may leave, would prevent the start.
 */
export async function disarmPidFile(cluster: string): Promise<void> {
  const text = await readPidFile(cluster);
  if (await findPostmaster(cluster)) return;
  if (text.trim() === '') {
    await rm(pidFileOf(cluster), { force: true });
    return;
  }
  // Writes in place: on a full disk, a truncated file would stay empty.
  const file = await open(pidFileOf(cluster), 'r+');
  try {
    const disarmed = Buffer.from(text.replace(/^.*/, String(NOBODY_PID)));
    await file.write(disarmed, 0, disarmed.length, 0);
  } finally {
    await file.close();
  }
}
