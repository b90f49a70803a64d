import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A process of this machine. */
export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes that have this text in their arguments or environment; Linux alone tells. Other
 * systems have none.
 */
export async function processesWith(text: string): Promise<FoundProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => lookAt(Number(name), text)),
  );
  return found.filter((one) => one !== undefined);
}

async function lookAt(pid: number, text: string): Promise<FoundProcess | undefined> {
  const read = (name: string): Promise<string> =>
    readFile(join('/proc', String(pid), name), 'utf8').catch(() => '');
  const [command, environment, status] = await Promise.all(
    ['cmdline', 'environ', 'stat'].map(read),
  );
  // Zombies still have an entry.
  if (/^[ZX]/.test(status?.slice(status.lastIndexOf(')') + 2) ?? '')) return undefined;
  if (!command?.includes(text) && !environment?.includes(text)) return undefined;
  return { pid, command: command?.replaceAll('\0', ' ').trim() ?? '' };
}

const POLL_MS = 20;
const PATIENCE_MS = 120_000;

/**
 * Waits until a condition holds.
 *
 * @throws Error naming `what` when it does not within two minutes
 */
export async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass: ${what}`);
    await pause(POLL_MS);
  }
}
