import { execFileSync } from 'node:child_process';
import promises, { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Replacement, replaceCluster } from '../../../src/database/embedded/restore';

/** Where to restore, and when to kill this process. */
export interface KilledRestore {
  readonly dataDir: string;
  readonly outsideDir: string;
  /** Number of changes of names during the installation, before the next of which it is killed. */
  readonly changes?: number;
  /** Path of a cluster; the process is killed while a server runs on a copy of it. */
  readonly trialOf?: string;
}

const killSelf = (): void => void process.kill(process.pid, 'SIGKILL');

/** Kills this process before the change after the next `changes` of names in folders. */
function killAfter(changes: number): void {
  let left = changes;
  for (const name of ['rename', 'symlink', 'rm'] as const) {
    const original = promises[name] as (...args: unknown[]) => Promise<void>;
    Object.assign(promises, {
      [name]: async (...args: unknown[]): Promise<void> => {
        if (left === 0) killSelf();
        left -= 1;
        await original(...args);
      },
    });
  }
}

async function restore(replacement: Replacement, options: KilledRestore): Promise<void> {
  const { trialOf, changes = 0 } = options;
  if (trialOf !== undefined) {
    execFileSync('cp', ['-a', `${trialOf}/.`, replacement.path]);
    await replacement.trial(() => Promise.resolve(killSelf()));
  }
  await writeFile(join(replacement.path, 'content'), 'new');
  killAfter(changes);
  await replacement.install();
}

const options = JSON.parse(process.argv[2] ?? '{}') as KilledRestore;
void replaceCluster(options, (replacement) => restore(replacement, options));
