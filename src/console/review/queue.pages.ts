import {
  type QueueRow,
  type QueueState,
  QUEUE_STATES,
} from '../../moderation/moderation-queue.service';
import { type Page } from '../../api/resources/page';
import { badge, notice, tabs } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { buttonForm, consolePage, hiddenField, pager } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { highlighted } from './highlight';
import { type QueuedText } from './queued-texts.repository';

/** Path of the form that decides texts. */
export const DECIDE = `${CONSOLE.queue}/decide`;

/** Texts on a page of the queue. */
export const QUEUE_COUNT = 20;

/** Contents of a page of the queue. */
export interface QueuePage {
  readonly state: QueueState;
  readonly page: Page<QueueRow>;
  readonly texts: ReadonlyMap<number, QueuedText>;
  /** Entries that the moderator has just decided and may decide again. */
  readonly undo: readonly number[];
}

function entry(visit: ConsoleVisit, row: QueueRow, text: QueuedText | undefined): Html {
  const { words } = visit;
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const decide = (decision: string, label: string, kind: string, key: string): Html =>
    buttonForm(visit, { action: DECIDE, label, kind, key, fields: { id: row.id, decision } });
  const isOpen = row.state === 'open';
  return html`<article class="entry" id="entry-${row.id}">
    <header>
      ${
        isOpen &&
        html`<label class="choice"
          ><input type="checkbox" name="id" value="${row.id}" form="bulk" /><span class="hidden"
            >${words.review.select} ${row.id}</span
          ></label
        >`
      }
      <h2>
        ${kinds[row.kind]}${text?.about !== undefined && text.about !== '' && html` · ${text.about}`}
      </h2>
      <span><a href="${CONSOLE.users}/${row.user_id}">${row.uid}</a></span>
      <span>${words.review.earlier(text?.released ?? 0, text?.rejected ?? 0)}</span>
      <time>${row.created}</time>
      ${row.words.map((word) => html`${badge(word, 'warn')} `)}
    </header>
    <blockquote tabindex="0">${highlighted(text?.text ?? row.excerpt, row.words)}</blockquote>
    <div class="row">
      ${
        isOpen
          ? html`${decide('release', words.review.release, 'small', 'a')}
            ${decide('reject', words.review.reject, 'small danger', 'r')}`
          : html`<p class="soft">
              ${words.states[row.state]} · ${row.decided} · ${row.decided_by}
            </p>`
      }
      ${row.state === 'rejected' && decide('release', words.review.release, 'small quiet', 'a')}
      <a class="small" href="${CONSOLE.users}/${row.user_id}">${words.review.author}</a>
    </div>
  </article>`;
}

const undoForm = (visit: ConsoleVisit, undo: readonly number[]): Html =>
  notice(
    'good',
    html`<form method="post" action="${DECIDE}" class="inline">
      ${csrfField(visit)}${hiddenField('decision', 'undo')}
      ${undo.map((id) => hiddenField('id', id))} ${visit.words.review.decided(undo.length)}
      <button class="small quiet" data-key="u">
        ${visit.words.review.undo} <kbd aria-hidden="true">u</kbd>
      </button>
    </form>`,
  );

export function queuePage(visit: ConsoleVisit, { state, page, texts, undo }: QueuePage): Html {
  const { words } = visit;
  const stateTabs = QUEUE_STATES.map((one) => ({
    href: withQuery(CONSOLE.queue, { state: one }),
    label: words.states[one],
    current: one === state,
  }));
  return consolePage(
    visit,
    { title: words.areas.queue, area: 'queue', script: true },
    html`<h1>${words.areas.queue}</h1>
      ${tabs(words.states.label, stateTabs)} ${undo.length > 0 && undoForm(visit, undo)}
      ${
        state === 'open' && page.items.length > 0
          ? html`<form id="bulk" method="post" action="${DECIDE}" class="row">
                ${csrfField(visit)}
                <span>${words.review.selected}</span>
                <button class="small quiet" name="decision" value="release">
                  ${words.review.release}
                </button>
                <button class="small danger" name="decision" value="reject">
                  ${words.review.reject}
                </button>
              </form>
              <p class="soft small">${words.review.keys}</p>`
          : undefined
      }
      ${page.items.length === 0 && html`<p class="empty">${words.review.empty}</p>`}
      ${page.items.map((row) => entry(visit, row, texts.get(row.id)))}
      ${pager(visit, { ...page, count: QUEUE_COUNT }, (start) =>
        withQuery(CONSOLE.queue, { state, start }),
      )}
      <p class="soft small">${words.review.whatAuthorsSee}</p>`,
  );
}
