import { type AdminJob } from '../../admin/jobs.service';
import { type TransferFile } from '../../admin/transfer-folder';
import { type ImportError } from '../../import-export/engine/import-options';
import { type JobProgress } from '../../import-export/jobs/job';
import { crumbs, definitions } from '../../web/components';
import { formatNumber } from '../../web/format';
import { html, type Html, type Piece } from '../../web/html';
import { flash } from '../../web/layout';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import {
  isBusy,
  jobTitle,
  kindName,
  numbers,
  outcomeTitles,
  paceText,
  recordsOf,
  stateBadge,
} from './job.parts';
import { downloadPath } from './transfers.pages';

/** A job, and what belongs to it. */
export interface ShownJob {
  readonly job: AdminJob;
  readonly errors: readonly Partial<ImportError>[];
  /** The file or folder of a finished export. */
  readonly result: TransferFile | undefined;
}

/** A job with its progress and rejected records. */
export function jobPage(session: ConsoleSession, { job, errors, result }: ShownJob): Html {
  const { words } = session;
  const texts = words.transfers;
  const path = `${CONSOLE.transfers}/jobs/${job.id}`;
  return consolePage(
    session,
    { title: texts.job(job.id), area: 'transfers', script: true },
    html`${crumbs(words.areas.transfers, [
        { href: CONSOLE.transfers, label: words.areas.transfers },
      ])}
      <h1>${jobTitle(texts, job.type, job.kind)}</h1>
      <div data-live="job" ${isBusy(job) && html`data-refresh="yes"`}>
        <p>${stateBadge(session, job)} <code>${job.path}</code></p>
        ${waitingText(session, job)} ${progressBar(session, job)}
        ${flash('error', job.error === '' ? undefined : job.error)}
        ${
          result &&
          html`<p><a class="button" href="${downloadPath(result)}">${texts.downloadResult}</a></p>`
        }
        ${definitions([
          [texts.records, recordsText(session, job.progress)],
          ...(job.kind === 'all' ? [] : outcomes(session, job)),
          [
            texts.speed,
            job.records_per_second !== undefined &&
              texts.speedValue(formatNumber(session.messages.lang, job.records_per_second)),
          ],
          [texts.created, job.created],
          [texts.by, job.created_by],
        ])}
        ${isBusy(job) && buttonForm(session, { action: `${path}/cancel`, label: texts.cancel, kind: 'danger' })}
        ${job.kind === 'all' && progressTable(session, job)}
        ${job.type === 'import' && html`<h2>${texts.errors}</h2>`}
        ${
          errors.length > 0 &&
          html`<p>
            ${errors.length < job.error_count && texts.firstErrors(errors.length)}
            <a href="${path}/errors">${texts.download}</a>
          </p>`
        }
        ${job.type === 'import' && errorsTable(session, errors, job.kind === 'all')}
      </div>`,
  );
}

function waitingText({ words }: ConsoleSession, { waiting_for, blocking_job_id }: AdminJob): Piece {
  if (waiting_for === undefined) return undefined;
  const { waiting, job } = words.transfers;
  return html`<p class="${waiting_for === 'server' ? 'warn' : 'note'}">
    ${waiting[waiting_for]}
    ${waiting_for === 'job' && blocking_job_id !== null && html`<a href="${CONSOLE.transfers}/jobs/${blocking_job_id}">${job(blocking_job_id)}</a>`}
  </p>`;
}

/** Without a known size, the bar only shows that the job runs. */
function progressBar({ words }: ConsoleSession, job: AdminJob): Piece {
  if (!isBusy(job)) return undefined;
  const { percent } = job;
  const texts = words.transfers;
  return html`<p class="progress">
    <progress
      aria-label="${texts.progress}"
      ${job.state === 'running' && percent !== undefined && html`max="100" value="${percent}"`}
    ></progress>
    <span>${paceText(texts, job)}</span>
  </p>`;
}

/** The records that were read or written, of their number if it is known. */
function recordsText(session: ConsoleSession, progress: readonly JobProgress[]): string {
  const records = progress.reduce((sum, one) => sum + one.records, 0);
  const total = progress.reduce((sum, one) => sum + (one.total ?? 0), 0);
  const shown = formatNumber(session.messages.lang, records);
  return total > records
    ? session.words.transfers.of(shown, formatNumber(session.messages.lang, total))
    : shown;
}

const outcomes = (session: ConsoleSession, job: AdminJob): [string, Piece][] => {
  const texts = session.words.transfers;
  const [one] = job.progress;
  if (job.type === 'export' || recordsOf(job) === 0) return [];
  const counts = [one?.imported, one?.updated, one?.skipped, one?.failed];
  return outcomeTitles(texts).map((title, at) => [
    title,
    formatNumber(session.messages.lang, counts[at] ?? 0),
  ]);
};

/** The progress by type of records. Exports have no outcomes. */
function progressTable(session: ConsoleSession, { type, progress }: AdminJob): Html {
  const texts = session.words.transfers;
  const isImport = type === 'import';
  const number = (value: number | undefined): Piece =>
    value !== undefined && formatNumber(session.messages.lang, value);
  return html`<h2>${texts.progress}</h2>
    ${tableOrNone(
      session,
      texts.progress,
      [texts.kind, ...numbers([texts.records, ...(isImport ? outcomeTitles(texts) : [])])],
      progress.map((one) => [
        kindName(texts, one.kind),
        recordsText(session, [one]),
        ...(isImport ? [one.imported, one.updated, one.skipped, one.failed].map(number) : []),
      ]),
    )}`;
}

/** Rejected records with their lines and reasons, and with their file if there are several. */
export function errorsTable(
  session: ConsoleSession,
  errors: readonly Partial<ImportError>[],
  hasFiles = false,
): Html {
  const texts = session.words.transfers;
  return tableOrNone(
    session,
    texts.errors,
    [...(hasFiles ? [texts.file] : []), texts.line, texts.message],
    errors.map(({ file, line, reason }) => [...(hasFiles ? [file] : []), line, reason]),
  );
}
