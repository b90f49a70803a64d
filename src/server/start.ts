import cluster from 'node:cluster';
import { loadSettings } from '../config/settings';
import type * as ParentModule from './cluster/parent';
import type * as ServeModule from './serve';

/** Loads a module when it is needed. Both branches would otherwise load all of the service. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need a file extension
const load = <T>(path: string): T => require(path) as T;

/**
 * Runs the server: in this process, or in workers with `WORKERS`. Only the modules that the process
 * needs are loaded.
 */
export async function startServer(): Promise<void> {
  if (cluster.isPrimary) {
    try {
      const settings = loadSettings();
      if (settings.workerCount !== undefined) {
        const { serveWorkers } = load<typeof ParentModule>('./cluster/parent');
        process.exit(await serveWorkers(settings));
      }
    } catch (error) {
      process.stderr.write(`commonplace: ${(error as Error).message}\n`);
      process.exit(1);
    }
  }
  const { serve } = load<typeof ServeModule>('./serve');
  await serve();
}
