import { type Page } from '../../api/resources/page';
import { type AdminJobRow } from '../../import-export/jobs/job-details.repository';
import { JOB_STATES, JOB_TYPES, type JobProgress } from '../../import-export/jobs/job';
import { type ImportError, type ImportSummary } from '../../import-export/engine/import.service';
import { badge, crumbs, definitions, notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField, flash } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { buttonForm, consolePage, pager, select, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { type TransferFile } from './transfer-files';
import { FILE_FIELD } from './upload.middleware';

export const JOB_COUNT = 20;

const stateBadge = ({ words }: ConsoleVisit, { state }: AdminJobRow): Piece => {
  const kind = state === 'failed' ? 'danger' : state === 'done' ? 'good' : undefined;
  return badge(words.transfers.states[state], kind);
};

const recordsOf = (progress: readonly JobProgress[]): number =>
  progress.reduce((sum, { records }) => sum + records, 0);

const fileName = (words: ConsoleVisit['words'], files: readonly TransferFile[]): Html =>
  html`<label
    >${words.transfers.file}
    <input type="text" name="path" list="transfer-files" required maxlength="100" />
    <datalist id="transfer-files">
      ${files.map(({ name }) => html`<option value="${name}"></option>`)}
    </datalist>
  </label>`;

/** Jobs, files, and the forms that start jobs. */
export function transfersPage(
  visit: ConsoleVisit,
  {
    kinds,
    files,
    folder,
    state,
    isEmbedded,
  }: {
    readonly kinds: readonly string[];
    readonly files: readonly TransferFile[];
    readonly folder: string;
    readonly state: string;
    /** Whether this service can back up the database. */
    readonly isEmbedded: boolean;
  },
  page: Page<AdminJobRow>,
): Html {
  const { words } = visit;
  const texts = words.transfers;
  const kindChoices = [
    ...kinds.map((kind): [string, string] => [kind, kind]),
    ['all', texts.everything] as [string, string],
  ];
  const isBusy = page.items.some((job) => job.state === 'running' || job.state === 'waiting');
  return consolePage(
    visit,
    { title: words.areas.transfers, area: 'transfers', script: true },
    html`<h1>${words.areas.transfers}</h1>
      <h2>${texts.upload}</h2>
      <form
        method="post"
        action="${CONSOLE.transfers}/upload"
        enctype="multipart/form-data"
        class="row"
      >
        ${csrfField(visit)}
        <label>${texts.uploadHint} <input type="file" name="${FILE_FIELD}" required /></label>
        <button>${texts.upload}</button>
      </form>
      <h2>${texts.start}</h2>
      <form method="post" action="${CONSOLE.transfers}/start" class="row">
        ${csrfField(visit)}
        ${select(
          'type',
          texts.type,
          JOB_TYPES.map((type): [string, string] => [type, texts.types[type]]),
          'import',
        )}
        ${select('kind', texts.kind, kindChoices, 'book')} ${fileName(words, files)}
        <button>${texts.start}</button>
        <button class="quiet" formaction="${CONSOLE.transfers}/preview">${texts.dryRun}</button>
      </form>
      <h2>${texts.jobs}</h2>
      <form class="row" action="${CONSOLE.transfers}">
        ${select(
          'state',
          words.states.label,
          [['', words.any], ...JOB_STATES.map((one): [string, string] => [one, texts.states[one]])],
          state,
        )}
        <button class="quiet">${words.search}</button>
      </form>
      <div data-live="jobs" ${isBusy && html`data-refresh="yes"`}>
        ${tableOrNone(
          visit,
          texts.jobs,
          [
            texts.type,
            words.states.label,
            { title: texts.records, number: true },
            { title: texts.failed, number: true },
            texts.created,
            texts.by,
          ],
          page.items.map((job) => [
            html`<a href="${CONSOLE.transfers}/jobs/${job.id}"
              >${texts.types[job.type as keyof typeof texts.types]} ${job.kind} ${job.path}</a
            >`,
            stateBadge(visit, job),
            recordsOf(job.progress),
            job.error_count,
            job.created,
            job.created_by,
          ]),
        )}
      </div>
      ${pager(visit, { ...page, count: JOB_COUNT }, (start) => withQuery(CONSOLE.transfers, { state, start }))}
      ${
        isEmbedded &&
        html`<h2>${texts.backup}</h2>
          <p>${texts.backupHint}</p>
          ${buttonForm(visit, { action: `${CONSOLE.transfers}/backup`, label: texts.backupButton, kind: '' })}`
      }
      <h2>${texts.files}</h2>
      <p>${texts.fileHint} <code>${folder}</code></p>
      ${tableOrNone(
        visit,
        texts.files,
        [texts.file, { title: texts.bytes, number: true }, ''],
        files.map(({ name, bytes }) => [
          name,
          bytes,
          html`<a href="${CONSOLE.transfers}/files/${name}">${texts.download}</a>`,
        ]),
      )}`,
  );
}

/** A running job has no share of its input, so the bar shows that it runs. */
export function jobPage(
  visit: ConsoleVisit,
  job: AdminJobRow,
  errors: readonly Partial<ImportError>[],
  seconds: number,
): Html {
  const { words } = visit;
  const texts = words.transfers;
  const path = `${CONSOLE.transfers}/jobs/${job.id}`;
  const isBusy = job.state === 'running' || job.state === 'waiting';
  const records = recordsOf(job.progress);
  return consolePage(
    visit,
    { title: texts.job(job.id), area: 'transfers', script: true },
    html`${crumbs(words.areas.transfers, [
        { href: CONSOLE.transfers, label: words.areas.transfers },
      ])}
      <h1>${texts.types[job.type as keyof typeof texts.types]} ${job.kind} ${job.path}</h1>
      <div data-live="job" ${isBusy && html`data-refresh="yes"`}>
        <p>${stateBadge(visit, job)}</p>
        ${isBusy && html`<progress aria-label="${texts.progress}"></progress>`}
        ${flash('error', job.error === '' ? undefined : job.error)}
        ${definitions([
          [texts.records, records],
          [texts.speed, seconds > 0 ? Math.round(records / seconds) : undefined],
          [texts.failed, job.error_count],
          [texts.created, job.created],
          [texts.by, job.created_by],
        ])}
        ${tableOrNone(
          visit,
          texts.progress,
          [
            texts.file,
            ...[texts.records, texts.imported, texts.updated, texts.skipped, texts.failed].map(
              (title) => ({ title, number: true }),
            ),
          ],
          job.progress.map((one) => [
            one.file,
            one.records,
            one.imported,
            one.updated,
            one.skipped,
            one.failed,
          ]),
        )}
        ${isBusy && buttonForm(visit, { action: `${path}/cancel`, label: texts.cancel, kind: 'danger' })}
        <h2>${texts.errors}</h2>
        ${errors.length > 0 && html`<p><a href="${path}/errors">${texts.download}</a></p>`}
        ${errorsTable(visit, errors)}
      </div>`,
  );
}

const errorsTable = (visit: ConsoleVisit, errors: readonly Partial<ImportError>[]): Html =>
  tableOrNone(
    visit,
    visit.words.transfers.errors,
    [
      visit.words.transfers.file,
      { title: visit.words.transfers.line, number: true },
      visit.words.transfers.message,
    ],
    errors.map(({ file, line, reason }) => [file, line, reason]),
  );

/** What an import would do, with the form that starts it. */
export function dryRunPage(
  visit: ConsoleVisit,
  input: { readonly kind: string; readonly path: string },
  summary: ImportSummary,
  errors: readonly ImportError[],
): Html {
  const texts = visit.words.transfers;
  return consolePage(
    visit,
    { title: texts.dryRun, area: 'transfers' },
    html`<h1>${texts.dryRun}: ${input.kind} ${input.path}</h1>
      ${notice('note', html`<p>${texts.previewed}</p>`)}
      ${definitions([
        [texts.imported, summary.imported],
        [texts.updated, summary.updated],
        [texts.skipped, summary.skipped],
        [texts.failed, summary.failed],
      ])}
      ${errorsTable(visit, errors)}
      ${buttonForm(visit, {
        action: `${CONSOLE.transfers}/start`,
        label: texts.runImport,
        fields: { type: 'import', ...input },
        kind: '',
      })}`,
  );
}
