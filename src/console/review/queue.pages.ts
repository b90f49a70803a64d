import { type QueueRow, type QueueState, QUEUE_STATES } from '../../moderation/queue-entry';
import { type Page } from '../../api/resources/page';
import { badge, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { consolePage, pager } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { parentLink, publicPageLink } from './content.parts';
import { type FindContent } from './content.repository';
import { bulkForm, decisionResults, entryForm, selectBox, type DecisionButton } from './decisions';
import { type UndoableDecision } from './undoable.repository';
import { type EarlierDecisions } from './queued-texts.repository';

const DECIDE = `${CONSOLE.queue}/decide`;

/** Texts on a page of the queue. */
export const QUEUE_COUNT = 20;

/** Data of the page of the queue. */
export interface QueuePage {
  readonly state: QueueState;
  readonly page: Page<QueueRow>;
  readonly find: FindContent;
  /** The texts of the entries with their words marked, in the order of the page. */
  readonly texts: readonly Piece[];
  /** What the moderator can undo, last decision first. */
  readonly undoable: readonly UndoableDecision[];
  /** Earlier decisions, by id of the author. */
  readonly earlier: ReadonlyMap<number, EarlierDecisions>;
}

const buttons = ({ words }: ConsoleSession): readonly [DecisionButton, DecisionButton] => [
  { decision: 'release', label: words.review.release, kind: 'small', key: 'a' },
  { decision: 'reject', label: words.review.reject, kind: 'small danger', key: 'r' },
];

/** The buttons for an entry in its state. */
function decideForm(session: ConsoleSession, { id, state, user_id }: QueueRow): Html {
  const [release, reject] = buttons(session);
  const possible = {
    open: [release, reject],
    rejected: [release],
    released: [reject],
    withdrawn: [],
  };
  const author = html`<a class="small" href="${CONSOLE.users}/${user_id}"
    >${session.words.review.author}</a
  >`;
  return entryForm(session, DECIDE, id, possible[state], undefined, author);
}

function entry(
  session: ConsoleSession,
  row: QueueRow,
  text: Piece,
  { find, earlier }: QueuePage,
): Html {
  const { words } = session;
  const content = find(row);
  const about = content && parentLink(content);
  const { released = 0, rejected = 0 } = earlier.get(row.user_id) ?? {};
  return html`<article class="entry" id="entry-${row.id}">
    <header>
      ${row.state === 'open' && selectBox(session, row.id)}
      <h2>${words.kinds[row.kind]}${about !== undefined && html` · ${about}`}</h2>
      <span><a href="${CONSOLE.users}/${row.user_id}">${row.uid}</a></span>
      <a href="${CONSOLE.users}/${row.user_id}#queue"
        >${words.review.earlier(released, rejected)}</a
      >
      <time>${row.created}</time>
      ${content && publicPageLink(session, content)}
      ${row.words.map((word) => html`${badge(word, 'warn')} `)}
    </header>
    <blockquote tabindex="0">${text}</blockquote>
    ${
      row.state !== 'open' &&
      html`<p class="soft">${words.states[row.state]} · ${row.decided} · ${row.decided_by}</p>`
    }
    ${decideForm(session, row)}
  </article>`;
}

export function queuePage(session: ConsoleSession, data: QueuePage): Html {
  const { state, page, undoable } = data;
  const { words } = session;
  const stateTabs = QUEUE_STATES.map((one) => ({
    href: withQuery(CONSOLE.queue, { state: one }),
    label: words.states[one],
    current: one === state,
  }));
  return consolePage(
    session,
    { title: words.areas.queue, area: 'queue', script: true },
    html`<h1>${words.areas.queue}</h1>
      ${tabs(words.states.label, stateTabs)} ${decisionResults(session, DECIDE, undoable)}
      ${
        state === 'open' &&
        page.items.length > 0 &&
        html`${bulkForm(session, DECIDE, buttons(session))}
          <p class="soft small">${words.review.keys}</p>`
      }
      ${page.items.length === 0 && html`<p class="empty">${words.review.empty}</p>`}
      ${page.items.map((row, at) => entry(session, row, data.texts[at], data))}
      ${pager(session, { ...page, count: QUEUE_COUNT }, (start) =>
        withQuery(CONSOLE.queue, { state, start }),
      )}
      <p class="soft small">${words.review.whatAuthorsSee}</p>`,
  );
}
