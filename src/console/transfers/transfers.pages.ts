import { type AdminJob } from '../../admin/jobs.service';
import { type TransferFile } from '../../admin/transfer-folder';
import { type Page } from '../../api/resources/page';
import { JOB_STATES } from '../../import-export/jobs/job';
import { formatBytes } from '../../web/format';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField, flash } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, hiddenField, pager, select, tableOrNone } from '../layout';
import { type ConsoleMessages } from '../messages';
import { CONSOLE } from '../paths';
import { isBusy, jobTitle, kindName, paceText, recordsOf, stateBadge } from './job.parts';

/** Name of the field with an uploaded file. */
export const FILE_FIELD = 'file';

export const JOB_COUNT = 20;

/** The error of a rejected form. */
export type TransferErrorCode = keyof ConsoleMessages['transfers']['errorCodes'];

/** Values of the forms of the page. */
export interface TransferInput {
  readonly type: string;
  readonly kind: string;
  /** Name of the file to import, or for an export. */
  readonly path: string;
}

/** What the page of imports and exports shows besides jobs. */
export interface TransferOverview {
  /** Kinds of records. */
  readonly kinds: readonly string[];
  readonly files: readonly TransferFile[];
  /** Path of TRANSFER_DIR. */
  readonly folder: string;
  /** Filter of the jobs; empty for all. */
  readonly state: string;
  /** Whether this service can back up the database. */
  readonly isEmbedded: boolean;
  readonly input: TransferInput;
  /** The error of the previous form, when it was rejected. */
  readonly error?: TransferErrorCode | undefined;
}

/** Jobs, files, and the forms that start jobs. */
export function transfersPage(
  session: ConsoleSession,
  shown: TransferOverview,
  page: Page<AdminJob>,
): Html {
  const { words } = session;
  const texts = words.transfers;
  const { error, isEmbedded } = shown;
  return consolePage(
    session,
    { title: words.areas.transfers, area: 'transfers', script: true },
    html`<h1>${words.areas.transfers}</h1>
      ${flash('error', error && texts.errorCodes[error])} ${uploadForm(session)}
      ${importForm(session, shown)} ${exportForm(session, shown)} ${jobList(session, shown, page)}
      ${fileList(session, shown)}
      ${
        isEmbedded &&
        html`<h2>${texts.backup}</h2>
          <p>${texts.backupHint}</p>
          ${buttonForm(session, { action: `${CONSOLE.transfers}/backup`, label: texts.backupButton, kind: 'quiet' })}`
      }`,
  );
}

function uploadForm(session: ConsoleSession): Html {
  const texts = session.words.transfers;
  return html`<h2>${texts.upload}</h2>
    <form method="post" action="${CONSOLE.transfers}/upload" enctype="multipart/form-data">
      ${csrfField(session)}
      <label class="choice"
        ><input type="checkbox" name="replace" value="yes" /> ${texts.replace}</label
      >
      <div class="row">
        <label>${texts.uploadHint} <input type="file" name="${FILE_FIELD}" required /></label>
        <button class="quiet">${texts.uploadButton}</button>
      </div>
      <p class="hint">${texts.formats}</p>
    </form>`;
}

const kindChoices = (
  { words: { transfers: texts } }: ConsoleSession,
  kinds: readonly string[],
): [string, string][] => [
  ...kinds.map((kind): [string, string] => [kind, kindName(texts, kind)]),
  ['all', texts.everything],
];

/** The kind whose name the file name starts with, the longest match first; `book` without a match. */
function kindOfName(name: string, kinds: readonly string[]): string {
  const matching = kinds.filter((kind) => name.startsWith(kind));
  return matching.sort((one, other) => other.length - one.length)[0] ?? 'book';
}

function importForm(
  session: ConsoleSession,
  { files, kinds, input, folder }: TransferOverview,
): Html {
  const texts = session.words.transfers;
  const importable = files.filter(({ type }) => type !== 'unfinished');
  const chosen = importable.find(({ name }) => input.type !== 'export' && name === input.path);
  const kind = chosen?.type === 'export' ? 'all' : kindOfName(chosen?.name ?? '', kinds);
  if (importable.length === 0) {
    return html`<h2 id="import">${texts.import}</h2>
      <p>${texts.noFiles} <code>${folder}</code></p>`;
  }
  return html`<h2 id="import">${texts.import}</h2>
    <form method="post" action="${CONSOLE.transfers}/preview">
      ${csrfField(session)} ${hiddenField('type', 'import')}
      <div class="row">
        ${select(
          'path',
          texts.file,
          importable.map(({ name, bytes }): [string, string] => [
            name,
            `${name} (${formatBytes(bytes)})`,
          ]),
          chosen?.name ?? '',
        )}
        ${select('kind', texts.kind, kindChoices(session, kinds), chosen && input.kind !== '' ? input.kind : kind)}
      </div>
      <div class="row">
        <button>${texts.dryRun}</button>
        <button class="quiet" formaction="${CONSOLE.transfers}/start">
          ${texts.withoutPreview}
        </button>
      </div>
    </form>
    <p class="hint">${texts.importHint}</p>`;
}

function exportForm(session: ConsoleSession, { kinds, input }: TransferOverview): Html {
  const texts = session.words.transfers;
  const isExportForm = input.type === 'export';
  return html`<h2 id="export">${texts.export}</h2>
    <form method="post" action="${CONSOLE.transfers}/start" class="row">
      ${csrfField(session)} ${hiddenField('type', 'export')}
      ${select('kind', texts.kind, kindChoices(session, kinds), isExportForm ? input.kind : 'all')}
      <label
        >${texts.exportName}
        <input type="text" name="path" maxlength="100" value="${isExportForm && input.path}" />
      </label>
      <button class="quiet">${texts.export}</button>
    </form>
    <p class="hint">${texts.exportHint}</p>`;
}

function jobList(session: ConsoleSession, { state }: TransferOverview, page: Page<AdminJob>): Html {
  const { words } = session;
  const texts = words.transfers;
  const stateCell = (job: AdminJob): Piece => {
    const pace = paceText(texts, job);
    return html`${stateBadge(session, job)}${pace !== undefined && html` <small>${pace}</small>`}`;
  };
  return html`<h2>${texts.jobs}</h2>
    <form class="row" action="${CONSOLE.transfers}">
      ${select(
        'state',
        words.states.label,
        [['', words.any], ...JOB_STATES.map((one): [string, string] => [one, texts.states[one]])],
        state,
      )}
      <button class="quiet">${words.search}</button>
    </form>
    <div data-live="jobs" ${page.items.some(isBusy) && html`data-refresh="yes"`}>
      ${tableOrNone(
        session,
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
              >${jobTitle(texts, job.type, job.kind)}</a
            >
            <small class="soft block">${job.path}</small>`,
          stateCell(job),
          recordsOf(job),
          job.error_count,
          job.created,
          job.created_by,
        ]),
      )}
    </div>
    ${pager(session, { ...page, count: JOB_COUNT }, (start) => withQuery(CONSOLE.transfers, { state, start }))}`;
}

/** The address of the download of a file or export. */
export const downloadPath = ({ name, type }: TransferFile): string =>
  `${CONSOLE.transfers}/${type === 'export' ? 'exports' : 'files'}/${name}`;

function fileList(session: ConsoleSession, { files, folder }: TransferOverview): Html {
  const texts = session.words.transfers;
  return html`<h2>${texts.files}</h2>
    <p>${texts.fileHint} <code>${folder}</code></p>
    ${tableOrNone(
      session,
      texts.files,
      [texts.file, texts.fileType, { title: texts.size, number: true }],
      files.map((file) => [
        file.type === 'unfinished'
          ? file.name
          : html`<a href="${downloadPath(file)}" title="${texts.download}">${file.name}</a>`,
        texts.fileTypes[file.type],
        formatBytes(file.bytes),
      ]),
    )}`;
}
