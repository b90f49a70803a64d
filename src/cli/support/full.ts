import { EMPTY_SUMMARY, type ImportSummary } from '../../import-export/engine/import-options';
import { type Job, type JobProgress } from '../../import-export/jobs/job';
import { JobsService } from '../../import-export/jobs/jobs.service';
import { readManifest } from '../../import-export/full/manifest';
import { auditedImport } from './audited';
import { logToStderr, withServices } from './bootstrap';
import { print } from './output';

/** Milliseconds between two progress reports. */
const EVERY = 500;

/** Name to record for jobs of the command line. */
const ACTOR = 'command line';

/** Prints the progress of a job to standard error periodically. */
function reporter(): (progress: readonly JobProgress[]) => void {
  let last = 0;
  return (progress) => {
    if (performance.now() - last < EVERY) return;
    last = performance.now();
    const at = progress.filter(({ records }) => records > 0).pop();
    const done = progress.reduce((sum, { records }) => sum + records, 0);
    logToStderr({ progress: done, kind: at?.kind });
  };
}

/** Sums the counts of an import over its files. */
export function totalOf({ progress }: Job): ImportSummary {
  const total: ImportSummary = { ...EMPTY_SUMMARY };
  for (const one of progress) {
    for (const name of ['imported', 'updated', 'skipped', 'failed'] as const) {
      total[name] += one[name] ?? 0;
    }
  }
  return total;
}

/** `import all DIR`. @throws Error with the reason of the failure */
export async function importAll(
  files: readonly string[],
  { dryRun, restart }: { readonly dryRun?: boolean; readonly restart?: boolean },
): Promise<void> {
  const [path] = files;
  if (path === undefined || files.length > 1)
    throw new Error('import all: exactly one folder is required');
  if (dryRun === true) throw new Error('import all: --dry-run is not supported for a full import');
  await withServices(async (app) => {
    const total = await auditedImport(app, 'all', { path }, async () => {
      const job = await app
        .get(JobsService)
        .runHere(
          { type: 'import', kind: 'all', path },
          { by: ACTOR, restart },
          { onError: logToStderr, onProgress: reporter() },
        );
      return { job: job.id, ...totalOf(job) };
    });
    print(total);
    // Valid records are stored, but the exit status reports the rejected ones.
    if (total.failed > 0) process.exitCode = 1;
  });
}

/** `export all --out DIR`. @throws Error with the reason of the failure */
export async function exportAll(path: string | undefined): Promise<void> {
  if (path === undefined) throw new Error('export all: --out with a folder is required');
  await withServices(async (app) => {
    const job = await app
      .get(JobsService)
      .runHere({ type: 'export', kind: 'all', path }, { by: ACTOR }, { onProgress: reporter() });
    const { kinds } = await readManifest(path);
    const records = Object.fromEntries(kinds.map((one) => [one.kind, one.records]));
    print({ job: job.id, written: path, records });
  });
}
