import { type ImportPreview, type PreviewedRecord } from '../../import-export/engine/preview';
import { type ManifestEntry } from '../../import-export/full/manifest';
import { crumbs, notice, stats } from '../../web/components';
import { formatBytes, formatNumber } from '../../web/format';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { errorsTable } from './job.pages';
import { kindName, numbers, outcomeTitles } from './job.parts';

/** The file to import, and the kind of its records. */
export interface PreviewInput {
  readonly kind: string;
  readonly path: string;
}

/** The layout of a preview, with the form that starts the import. */
function previewLayout(
  session: ConsoleSession,
  input: PreviewInput,
  lead: Piece,
  body: Piece,
): Html {
  const { words } = session;
  const texts = words.transfers;
  return consolePage(
    session,
    { title: texts.dryRun, area: 'transfers' },
    html`${crumbs(words.areas.transfers, [
        { href: CONSOLE.transfers, label: words.areas.transfers },
      ])}
      <h1>${texts.dryRun} · ${kindName(texts, input.kind)}</h1>
      <p><code>${input.path}</code></p>
      ${lead}
      ${buttonForm(session, {
        action: `${CONSOLE.transfers}/start`,
        label: texts.runImport,
        fields: { type: 'import', ...input },
        kind: '',
      })}
      ${body}`,
  );
}

/** What an import would do. */
export function importPreviewPage(
  session: ConsoleSession,
  input: PreviewInput,
  preview: ImportPreview,
): Html {
  const texts = session.words.transfers;
  const { imported, updated, skipped, failed } = preview.summary;
  const counts = [imported, updated, skipped, failed];
  return previewLayout(
    session,
    input,
    html`${notice('note', html`<p>${texts.previewed}</p>`)}
    ${
      !preview.isComplete &&
      notice('warn', html`<p>${texts.previewedPart(formatBytes(preview.bytes))}</p>`)
    }
    ${stats(outcomeTitles(texts).map((title, at) => [title, formatNumber(session.messages.lang, counts[at] ?? 0)]))}`,
    html`${failed > 0 && section(session, texts.errors, failed, preview.errors, errorsTable)}
    ${updated > 0 && section(session, texts.toUpdate, updated, preview.updated, updatedTable)}
    ${imported > 0 && section(session, texts.toCreate, imported, preview.imported, createdTable)}
    ${skipped > 0 && section(session, texts.unchanged, skipped, preview.skipped, unchangedTable)}`,
  );
}

function section<T>(
  session: ConsoleSession,
  title: string,
  total: number,
  records: readonly T[],
  table: (session: ConsoleSession, records: readonly T[]) => Html,
): Html {
  const { firstOf } = session.words.transfers;
  return html`<h2>${title}</h2>
    ${records.length < total && html`<p class="soft">${firstOf(String(records.length), formatNumber(session.messages.lang, total))}</p>`}
    ${table(session, records)}`;
}

/** The title of a record with its line and id below. */
function recordCell({ words }: ConsoleSession, { line, id, title }: PreviewedRecord): Html {
  const texts = words.transfers;
  const place = line === undefined ? '' : `${texts.line} ${line} · `;
  return html`${title === '' ? '–' : title}
    <small class="soft block">${place}${texts.id} ${id ?? texts.newId}</small>`;
}

const createdTable = (session: ConsoleSession, records: readonly PreviewedRecord[]): Html =>
  tableOrNone(
    session,
    session.words.transfers.toCreate,
    [session.words.transfers.title],
    records.map((one) => [recordCell(session, one)]),
  );

function updatedTable(session: ConsoleSession, records: readonly PreviewedRecord[]): Html {
  const texts = session.words.transfers;
  const changes = (one: PreviewedRecord): Piece =>
    one.changes.length === 0
      ? texts.nestedChanges
      : html`<ul class="changes">
          ${one.changes.map(
            ({ member, from, to }) =>
              html`<li>
                <code>${member}</code> ${from !== '' && html`<del>${from}</del> →`} <ins>${to}</ins>
              </li>`,
          )}
        </ul>`;
  return tableOrNone(
    session,
    texts.toUpdate,
    [texts.title, texts.changes],
    records.map((one) => [recordCell(session, one), changes(one)]),
  );
}

function unchangedTable(session: ConsoleSession, records: readonly PreviewedRecord[]): Html {
  const texts = session.words.transfers;
  return tableOrNone(
    session,
    texts.unchanged,
    [texts.title, texts.message],
    records.map((one) => [recordCell(session, one), texts.reasons[one.reason ?? 'equal']]),
  );
}

/** The files of a full export, which an import would store. */
export function exportFilesPage(
  session: ConsoleSession,
  input: PreviewInput,
  files: readonly ManifestEntry[],
): Html {
  const texts = session.words.transfers;
  return previewLayout(
    session,
    input,
    notice('note', html`<p>${texts.previewOfAll}</p>`),
    tableOrNone(
      session,
      texts.records,
      [texts.kind, ...numbers([texts.records, texts.size])],
      files.map(({ kind, records, gz_bytes }) => [
        kindName(texts, kind),
        formatNumber(session.messages.lang, records),
        formatBytes(gz_bytes),
      ]),
    ),
  );
}
