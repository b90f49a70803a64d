import { canHide } from '../../admin/reports.service';
import { type Page } from '../../api/resources/page';
import {
  REPORT_STATES,
  type ReportedContentRow,
  type ReportState,
} from '../../moderation/reports.repository';
import { badge, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { pathOfType } from '../catalogue/paths';
import { consolePage, pager } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { authorAndTime, parentLink, publicPageLink } from './content.parts';
import { type Content, type FindContent } from './content.repository';
import { bulkForm, decisionResults, entryForm, selectBox, type DecisionButton } from './decisions';
import { type UndoableDecision } from './undoable.repository';

const RESOLVE = `${CONSOLE.reports}/resolve`;

/** Reported texts and events on a page. */
export const REPORT_COUNT = 20;

/** Data of the reports page. */
export interface ReportsPage {
  readonly state: ReportState;
  readonly page: Page<ReportedContentRow>;
  readonly find: FindContent;
  /** What the moderator can undo, last decision first. */
  readonly undoable: readonly UndoableDecision[];
}

const buttons = ({ words }: ConsoleSession): readonly [DecisionButton, DecisionButton] => [
  { decision: 'dismiss', label: words.reports.dismiss, kind: 'small quiet', key: 'd' },
  { decision: 'hide', label: words.reports.hide, kind: 'small danger', key: 'h' },
];

const commentField = ({ words }: ConsoleSession): Html =>
  html`<label class="beside"
    >${words.comment} <input type="text" name="comment" maxlength="1000"
  /></label>`;

/** What an administrator can do about content that cannot be hidden. */
function otherWay({ words }: ConsoleSession, { kind, target_id }: ReportedContentRow): Piece {
  const { reports } = words;
  if (canHide(kind)) return undefined;
  if (kind === 'user')
    return html`<a class="small" href="${CONSOLE.users}/${target_id}">${reports.blockUser}</a>`;
  if (kind === 'photo' || kind === 'event') {
    const href = `${pathOfType(`${kind}s`)}/${target_id}`;
    return html`<a class="small" href="${href}">${reports.deleteRecord}</a>`;
  }
  return html`<span class="soft small">${reports.cannotHide}</span>`;
}

const reportersOf = ({ reports }: ReportedContentRow): Html =>
  html`<ul class="reasons">
    ${reports.map(
      ({ uid, user_id, reason, created }) =>
        html`<li>
          <strong>${reason}</strong>
          <span class="soft"
            ><a href="${CONSOLE.users}/${user_id}">${uid}</a> · <time>${created}</time></span
          >
        </li>`,
    )}
  </ul>`;

function entry(
  session: ConsoleSession,
  row: ReportedContentRow,
  content: Content | undefined,
): Html {
  const { words } = session;
  const isOpen = row.state === 'open';
  const [dismiss, hide] = buttons(session);
  const about = content && parentLink(content);
  return html`<article class="entry" id="report-${row.id}">
    <header>
      ${isOpen && selectBox(session, row.id)}
      <h2>${words.kinds[row.kind]}${about !== undefined && html` · ${about}`}</h2>
      ${badge(words.reports.count(row.reports.length), isOpen ? 'warn' : undefined)}
      ${content && authorAndTime(session, content)} ${content && publicPageLink(session, content)}
    </header>
    ${reportersOf(row)}
    <blockquote tabindex="0">
      ${content ? (content.text ?? words.review.private) : words.review.gone}
    </blockquote>
    ${
      isOpen
        ? entryForm(
            session,
            RESOLVE,
            row.id,
            canHide(row.kind) && content ? [dismiss, hide] : [dismiss],
            commentField(session),
            content && otherWay(session, row),
          )
        : html`<p class="soft">
            ${words.states[row.state]} · ${row.decided} ·
            ${row.decided_by}${row.comment !== '' && html` · ${row.comment}`}
          </p>`
    }
  </article>`;
}

export function reportsPage(
  session: ConsoleSession,
  { state, page, find, undoable }: ReportsPage,
): Html {
  const { words } = session;
  const stateTabs = REPORT_STATES.map((one) => ({
    href: withQuery(CONSOLE.reports, { state: one }),
    label: words.states[one],
    current: one === state,
  }));
  return consolePage(
    session,
    { title: words.areas.reports, area: 'reports', script: true },
    html`<h1>${words.areas.reports}</h1>
      ${tabs(words.states.label, stateTabs)} ${decisionResults(session, RESOLVE, undoable)}
      ${
        state === 'open' &&
        page.items.length > 0 &&
        html`<p class="soft small">${words.reports.effect}</p>
          ${bulkForm(session, RESOLVE, buttons(session), commentField(session))}
          <p class="soft small">${words.reports.keys}</p>`
      }
      ${page.items.length === 0 && html`<p class="empty">${words.reports.empty}</p>`}
      ${page.items.map((row) => entry(session, row, find(row)))}
      ${pager(session, { ...page, count: REPORT_COUNT }, (start) =>
        withQuery(CONSOLE.reports, { state, start }),
      )}`,
  );
}
