import { type ImportSummary } from '../../import-export/engine/import.service';
import { type Job, type JobProgress } from '../../import-export/jobs/job';
import { JobsService } from '../../import-export/jobs/jobs.service';
import { readManifest } from '../../import-export/full/manifest';
import { auditedImport } from './audited';
import { logToStderr, print, withServices } from './bootstrap';

/** Milliseconds between two reports. */
const EVERY = 500;

/** Whom jobs of the command line are noted down for. */
const ACTOR = 'command line';

/** Reports how far a job is, on standard error, now and then. */
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

/** What became of all records of an import. */
export function totalOf({ progress }: Job): ImportSummary {
  const total: ImportSummary = { imported: 0, updated: 0, skipped: 0, failed: 0 };
  for (const one of progress) {
    for (const name of ['imported', 'updated', 'skipped', 'failed'] as const) {
      total[name] += one[name] ?? 0;
    }
  }
  return total;
}

/** `import all DIR`. @throws Error when it cannot be done */
export async function importAll(
  files: readonly string[],
  { dryRun, restart }: { readonly dryRun?: boolean; readonly restart?: boolean },
): Promise<void> {
  const [place] = files;
  if (place === undefined || files.length > 1) throw new Error('import all: say one folder');
  if (dryRun === true) throw new Error('import all: there is no dry run of a whole import');
  await withServices(async (app) => {
    const total = await auditedImport(app, 'all', { place }, async () => {
      const job = await app
        .get(JobsService)
        .runHere(
          { type: 'import', kind: 'all', place },
          { by: ACTOR, restart },
          { onFault: logToStderr, onProgress: reporter() },
        );
      return { job: job.id, ...totalOf(job) };
    });
    print(total);
    // What could be taken is in; that something could not must not go unnoticed.
    if (total.failed > 0) process.exitCode = 1;
  });
}

/** `export all --out DIR`. @throws Error when it cannot be done */
export async function exportAll(place: string | undefined): Promise<void> {
  if (place === undefined) throw new Error('export all: say a folder with --out');
  await withServices(async (app) => {
    const job = await app
      .get(JobsService)
      .runHere({ type: 'export', kind: 'all', place }, { by: ACTOR }, { onProgress: reporter() });
    const { kinds } = await readManifest(place);
    const records = Object.fromEntries(kinds.map((one) => [one.kind, one.records]));
    print({ job: job.id, written: place, records });
  });
}
