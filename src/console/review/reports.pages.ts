import { type Page } from '../../api/resources/page';
import {
  REPORT_STATES,
  type ReportRow,
  type ReportState,
} from '../../moderation/reports.repository';
import { QUEUED_TYPES } from '../../moderation/moderation-queue.repository';
import { tabs } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { consolePage, hiddenField, pager } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';

export const REPORT_COUNT = 20;

/** The reported contents with their authors, by id of the report. */
export type ContentOf = ReadonlyMap<number, ReportedContent>;

/** A reported content; the author is null when the content does not exist any more. */
export interface ReportedContent {
  readonly text: string;
  readonly author: string | null;
  readonly author_id: number | null;
}

function entry(visit: ConsoleVisit, report: ReportRow, contents: ContentOf): Html {
  const { words } = visit;
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const canHide = (QUEUED_TYPES as readonly string[]).includes(report.kind);
  const content = contents.get(report.id);
  return html`<article class="entry" id="report-${report.id}">
    <header>
      <h2>${kinds[report.kind] ?? report.kind} ${report.target_id}</h2>
      ${
        content?.author_id != null &&
        html`<a href="${CONSOLE.users}/${content.author_id}"
          >${content.author} · ${words.review.author}</a
        >`
      }
      <span>${words.reports.by(report.reporter)}</span>
      <time>${report.created}</time>
    </header>
    <p><strong>${report.reason}</strong></p>
    <blockquote tabindex="0">${content?.text ?? words.none}</blockquote>
    ${
      report.state === 'open'
        ? html`<form method="post" action="${CONSOLE.reports}/resolve" class="row">
            ${csrfField(visit)}${hiddenField('id', report.id)}
            <label>${words.comment} <input type="text" name="comment" maxlength="1000" /></label>
            <button class="small quiet" name="action" value="dismiss" data-key="d">
              ${words.reports.dismiss} <kbd aria-hidden="true">d</kbd>
            </button>
            ${
              canHide &&
              html`<button class="small danger" name="action" value="hide" data-key="h">
                ${words.reports.hide} <kbd aria-hidden="true">h</kbd>
              </button>`
            }
          </form>`
        : html`<p class="soft">
            ${words.states[report.state]} · ${report.decided} · ${report.decided_by} ·
            ${report.comment}
          </p>`
    }
  </article>`;
}

export function reportsPage(
  visit: ConsoleVisit,
  state: ReportState,
  page: Page<ReportRow>,
  contents: ContentOf,
): Html {
  const { words } = visit;
  const stateTabs = REPORT_STATES.map((one) => ({
    href: withQuery(CONSOLE.reports, { state: one }),
    label: words.states[one],
    current: one === state,
  }));
  return consolePage(
    visit,
    { title: words.areas.reports, area: 'reports', script: true },
    html`<h1>${words.areas.reports}</h1>
      ${tabs(words.states.label, stateTabs)}
      ${page.items.length === 0 && html`<p class="empty">${words.none}</p>`}
      ${page.items.map((report) => entry(visit, report, contents))}
      ${page.items.length > 0 && html`<p class="soft">${words.review.whatAuthorsSee}</p>`}
      ${pager(visit, { ...page, count: REPORT_COUNT }, (start) =>
        withQuery(CONSOLE.reports, { state, start }),
      )}`,
  );
}
