import cluster from 'node:cluster';
import { shareDnsLookups } from '../process/dns-lookups';
import { exitWithoutHanging } from '../process/exit-process';
import { loadSettings } from '../config/settings';
import { complain } from './complain';
import type * as ParentModule from './cluster/parent';
import type * as ServeModule from './serve';

// Each is loaded when it is needed: both branches would otherwise load all of the service.
/* eslint-disable @typescript-eslint/no-require-imports -- `import()` would need a file extension */
const loadParent = () => require('./cluster/parent') as typeof ParentModule;
const loadServe = () => require('./serve') as typeof ServeModule;
/* eslint-enable @typescript-eslint/no-require-imports */

/** A full disk, or a closed pipe, of standard output or standard error does not end the server. */
function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

/**
 * Runs the server: in this process, or in workers with `WORKERS`. Only the modules that the process
 * needs are loaded.
 */
export async function startServer(): Promise<void> {
  ignoreOutputErrors();
  shareDnsLookups();
  if (cluster.isPrimary) {
    try {
      const settings = loadSettings();
      if (settings.workerCount !== undefined) {
        const { serveWorkers } = loadParent();
        await exitWithoutHanging(await serveWorkers(settings));
      }
    } catch (error) {
      complain(error);
      await exitWithoutHanging(1);
    }
  }
  const { serve } = loadServe();
  await serve();
}
