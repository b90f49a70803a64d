import { type Page } from '../../api/resources/page';
import { type AuditRow } from '../../audit/audit.repository';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { consolePage, pager, tableOrNone, textInput } from '../layout';
import { shownText as textOf } from '../input';
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
  const changed = names.filter((name) => textOf(one?.[name]) !== textOf(other?.[name]));
  return changed.map(
    (name) =>
      html`<div>
        <code>${name}</code>: ${one?.[name] !== undefined && html`<del>${textOf(one[name])}</del> `}
        ${other?.[name] !== undefined && html`<ins>${textOf(other[name])}</ins>`}
      </div>`,
  );
}

/** Changes in a table. */
export const changesTable = (visit: ConsoleVisit, rows: readonly AuditRow[]): Html =>
  tableOrNone(
    visit,
    visit.words.areas.log,
    [
      visit.words.log.at,
      visit.words.log.actor,
      visit.words.log.action,
      visit.words.log.target,
      visit.words.log.change,
    ],
    rows.map((row) => [
      row.at,
      html`<a href="${withQuery(CONSOLE.log, { actor: row.actor })}">${row.actor}</a>`,
      html`<code>${row.action}</code>`,
      html`<a href="${withQuery(CONSOLE.log, { kind: row.kind, id: row.target })}"
        >${row.kind} ${row.target.slice(0, 60)}</a
      >`,
      html`<details>
        <summary>${visit.words.log.show}</summary>
        ${differences(row.before, row.after)}
      </details>`,
    ]),
  );

export function logPage(visit: ConsoleVisit, filter: LogFilter, page: Page<AuditRow>): Html {
  const { words } = visit;
  return consolePage(
    visit,
    { title: words.areas.log, area: 'log' },
    html`<h1>${words.areas.log}</h1>
      <form class="row" action="${CONSOLE.log}">
        ${textInput('actor', words.log.actor, filter.actor)}
        ${textInput('action', words.log.action, filter.action)}
        ${textInput('kind', words.log.kind, filter.kind)}
        ${textInput('id', words.log.id, filter.id)}
        ${textInput('from', words.log.from, filter.from, 'date')}
        ${textInput('to', words.log.to, filter.to, 'date')}
        <button class="quiet">${words.search}</button>
        <a class="button quiet small" href="${withQuery(`${CONSOLE.log}/export`, { ...filter })}"
          >${words.log.export}</a
        >
      </form>
      ${changesTable(visit, page.items)}
      ${pager(visit, { ...page, count: LOG_COUNT }, (start) =>
        withQuery(CONSOLE.log, { ...filter, start }),
      )}`,
  );
}
