import { html, type Html, type Piece } from '../../web/html';
import { to } from '../../site/paths';
import { type ConsoleSession } from '../access/console-sessions.service';
import { CONSOLE } from '../paths';
import { type Content, type ParentKind } from './content.repository';

const PARENT_PATHS: Readonly<Record<ParentKind, (id: number) => string>> = {
  book: to.book,
  note: to.note,
  subject: to.subject,
  celebrity: to.celebrity,
};

/** The public page of a content; undefined for content that is only a part of another page. */
const ownPath = ({ kind, id, author }: Content): string | undefined => {
  if (kind === 'user') return to.person(author ?? '');
  if (kind === 'annotation') return to.annotation(id);
  if (kind === 'review') return to.review(id);
  if (kind === 'note') return to.note(id);
  if (kind === 'movie_review') return to.movieReview(id);
  if (kind === 'event') return to.event(id);
  return undefined;
};

/** The title of what a content is about, linked to its public page. */
export function parentLink({ parent_kind, parent_id, parent_title }: Content): Piece {
  if (parent_kind === null || parent_id === null) return undefined;
  const href = PARENT_PATHS[parent_kind](parent_id);
  return html`<a href="${href}">${parent_title === '' ? parent_id : parent_title}</a>`;
}

/** A link to the page where others read a content; undefined while they cannot read it. */
export function publicPageLink({ words }: ConsoleSession, content: Content): Piece {
  const href = content.hidden || content.private ? undefined : ownPath(content);
  return href !== undefined && html`<a href="${href}">${words.review.view}</a>`;
}

/** Characters of a text in a table. */
const MAX_SHOWN = 160;

/** The beginning of a text in a table. */
export const beginning = (text: string): string => {
  const characters = [...text];
  return characters.length <= MAX_SHOWN ? text : `${characters.slice(0, MAX_SHOWN).join('')}…`;
};

/** The author and the time of a text. */
export const authorAndTime = (session: ConsoleSession, content: Content): Html =>
  html`${
    content.author_id !== null &&
    html`<span
      >${session.words.review.writtenBy}
      <a href="${CONSOLE.users}/${content.author_id}">${content.author}</a></span
    >`
  }
  ${content.created !== null && html`<time>${content.created}</time>`}`;
