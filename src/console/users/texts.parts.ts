import { badge } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { tableOrNone } from '../layout';
import { CONSOLE } from '../paths';
import { beginning, parentLink, publicPageLink } from '../review/content.parts';
import { type Content, type FindContent } from '../review/content.repository';
import { type QueuedByUser } from '../review/queued-texts.repository';

/** What a user wrote. */
export interface TextsOfUser {
  /** Texts that others may read, or that moderation hides, newest first. */
  readonly written: readonly Content[];
  /** Texts that were in the review queue, newest first. */
  readonly queued: readonly QueuedByUser[];
  /** Finds the texts of `queued`. */
  readonly find: FindContent;
}

/** The kind of a text, and what it is about. */
function kindOf(
  { words }: ConsoleSession,
  kind: Content['kind'],
  content: Content | undefined,
): Html {
  const about = content && parentLink(content);
  return html`${words.kinds[kind]}${about !== undefined && html` · ${about}`}`;
}

/** @param excerpt shown instead of a text that is private */
const textOf = (session: ConsoleSession, content: Content, excerpt: string): Piece =>
  html`${beginning(content.text ?? excerpt)}
  ${content.hidden && badge(session.words.states.hidden, 'warn')}
  ${publicPageLink(session, content)}`;

/** The last texts of a user, and those that were in the review queue. */
export function textTables(session: ConsoleSession, { written, queued, find }: TextsOfUser): Html {
  const { words } = session;
  const { users } = words;
  return html`<h2 id="texts">${users.texts}</h2>
    ${tableOrNone(
      session,
      users.texts,
      [users.published, users.kind, users.text],
      written.map((content) => [
        content.created,
        kindOf(session, content.kind, content),
        textOf(session, content, ''),
      ]),
    )}
    <h2 id="queue">${users.queued}</h2>
    ${tableOrNone(
      session,
      users.queued,
      [users.queuedAt, users.kind, words.states.label, users.text],
      queued.map((row) => {
        const content = find(row);
        const href = `${withQuery(CONSOLE.queue, { state: row.state })}#entry-${row.id}`;
        return [
          row.created,
          kindOf(session, row.kind, content),
          html`<a href="${href}">${words.states[row.state]}</a>`,
          content ? textOf(session, content, row.excerpt) : beginning(row.excerpt),
        ];
      }),
    )}`;
}
