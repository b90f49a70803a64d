import { type AuditRow } from '../../audit/audit.repository';
import { html, type Html, type Piece } from '../../web/html';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { tableOrNone } from '../layout';
import { actionText, kindText } from '../messages/log-terms';
import { CONSOLE } from '../paths';
import { memberDifferences } from './fields.parts';
import {
  type CreditedFilm,
  type RecordImport,
  type RecordTimes,
} from './record-details.repository';

/** The films of a person, in whose forms the credits are edited. */
export function filmsSection(session: ConsoleSession, films: readonly CreditedFilm[]): Html {
  const { lists, log } = session.words;
  return html`<h2>${lists.works}</h2>
    <p class="soft">${lists.worksHint}</p>
    ${tableOrNone(
      session,
      lists.works,
      [log.id, lists.film, lists.role],
      films.map(({ id, title, role }) => [
        id,
        html`<a href="${CONSOLE.catalogue}/subjects/${id}">${title || lists.untitled}</a>`,
        lists.roles[role] ?? role,
      ]),
    )}`;
}

/** What happened to a record. */
export interface RecordHistory {
  /** Changes by administrators, newest first. */
  readonly changes: readonly AuditRow[];
  readonly times: RecordTimes;
}

interface Row {
  readonly at: string;
  readonly cells: readonly Piece[];
}

const actorLink = (actor: string): Html =>
  html`<a href="${withQuery(CONSOLE.log, { actor })}">${actor}</a>`;

function changeRow(session: ConsoleSession, type: string, row: AuditRow): Row {
  const { log, logTerms } = session.words;
  const [before, after] = [row.before, row.after].map(
    (state) => (state ?? {}) as Record<string, unknown>,
  );
  const list = memberDifferences(session, type, before ?? {}, after ?? {});
  const shown = html`<details>
    <summary>${log.show}</summary>
    ${list}
  </details>`;
  const action = actionText(logTerms, row.action);
  return { at: row.at, cells: [row.at, actorLink(row.actor), action, shown] };
}

function importRow({ words }: ConsoleSession, { at, actor, job, kind, path }: RecordImport): Row {
  const { catalogue, logTerms } = words;
  const what = path === '' ? kindText(logTerms, kind) : path;
  const link =
    job === null
      ? html`<a href="${withQuery(CONSOLE.log, { kind: 'import', id: kind })}">${what}</a>`
      : html`<a href="${CONSOLE.transfers}/jobs/${job}">${what}</a>`;
  return { at, cells: [at, actorLink(actor), catalogue.imported, link] };
}

/** When a record was stored, and the table of its changes and imports, newest first. */
export function historySection(
  session: ConsoleSession,
  type: string,
  { changes, times: { created, updated, imports } }: RecordHistory,
): Html {
  const { catalogue, log } = session.words;
  const rows = [
    ...changes.map((row) => changeRow(session, type, row)),
    ...imports.map((one) => importRow(session, one)),
  ].sort((one, other) => (one.at < other.at ? 1 : -1));
  return html`<h2>${catalogue.history}</h2>
    ${
      created !== undefined &&
      html`<p class="soft">
        ${catalogue.createdAt(created)}
        ${updated !== undefined && updated !== created && catalogue.updatedAt(updated)}
      </p>`
    }
    ${tableOrNone(
      session,
      catalogue.history,
      [log.at, log.actor, log.action, log.change],
      rows.map(({ cells }) => cells),
    )}`;
}
