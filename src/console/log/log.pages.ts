import { type Page } from '../../api/resources/page';
import { type AuditRow } from '../../audit/audit.repository';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { consolePage, pager, tableOrNone, textInput } from '../layout';
import { toText } from '../../text/to-text';
import { actionText, kindText } from '../messages/log-terms';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';

export const LOG_COUNT = 50;

/** Filters of the log as in the form; empty means any. Days are `yyyy-MM-dd`. */
export interface LogFilter {
  readonly actor: string;
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** The members that differ between two states, before and after. */
export function differences(before: unknown, after: unknown): Piece {
  const [one, other] = [before, after].map((state) => (state ?? {}) as Record<string, unknown>);
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  const changed = names.filter((name) => toText(one?.[name]) !== toText(other?.[name]));
  return changed.map(
    (name) =>
      html`<div>
        <code>${name}</code>: ${one?.[name] !== undefined && html`<del>${toText(one[name])}</del> `}
        ${other?.[name] !== undefined && html`<ins>${toText(other[name])}</ins>`}
      </div>`,
  );
}

/** Changes in a table. */
export const changesTable = (session: ConsoleSession, rows: readonly AuditRow[]): Html =>
  tableOrNone(
    session,
    session.words.areas.log,
    [
      session.words.log.at,
      session.words.log.actor,
      session.words.log.action,
      session.words.log.target,
      session.words.log.change,
    ],
    rows.map((row) => [
      row.at,
      html`<a href="${withQuery(CONSOLE.log, { actor: row.actor })}">${row.actor}</a>`,
      html`${actionText(session.words.logTerms, row.action)}
        <code class="name">${row.action}</code>`,
      html`<a href="${withQuery(CONSOLE.log, { kind: row.kind, id: row.target })}"
        >${kindText(session.words.logTerms, row.kind)} ${row.target.slice(0, 60)}</a
      >`,
      html`<details>
        <summary>${session.words.log.show}</summary>
        ${differences(row.before, row.after)}
      </details>`,
    ]),
  );

/** @param zone the time zone of its times and days */
export function logPage(
  session: ConsoleSession,
  filter: LogFilter,
  page: Page<AuditRow>,
  zone: string,
): Html {
  const { words } = session;
  return consolePage(
    session,
    { title: words.areas.log, area: 'log' },
    html`<h1>${words.areas.log}</h1>
      <p class="soft small">${words.log.zone(zone)}</p>
      <form class="row" action="${CONSOLE.log}">
        ${textInput('actor', words.log.actor, filter.actor)}
        ${textInput('action', words.log.action, filter.action)}
        ${textInput('kind', words.log.kind, filter.kind)}
        ${textInput('id', words.log.id, filter.id)}
        ${textInput('from', words.log.from, filter.from, 'date')}
        ${textInput('to', words.log.to, filter.to, 'date')}
        <button class="quiet">${words.search}</button>
        <a class="button quiet" href="${withQuery(`${CONSOLE.log}/export`, { ...filter })}"
          >${words.log.export}</a
        >
      </form>
      ${changesTable(session, page.items)}
      ${pager(session, { ...page, count: LOG_COUNT }, (start) =>
        withQuery(CONSOLE.log, { ...filter, start }),
      )}`,
  );
}
