import { type Wire } from '../api/resources/resource';
import { MAX_REPLY } from '../api/input/text-limits';
import { type Book, type EmbeddedBook } from '../books/books.resources';
import { type SimpleSubject } from '../movies/movies.resources';
import { type SimpleUser } from '../users/users.resources';
import { panel, sectionHead } from '../web/components';
import { html, type Html, type Piece } from '../web/html';
import {
  avatar,
  card,
  hasMatch,
  highlighted,
  inOwnLanguage,
  langOf,
  rating,
  stars,
} from '../web/record-components';
import { boundedText } from './page-bounds';
import { to } from './paths';
import { type SiteReader } from './site-pages.service';

/** Fragments that several kinds of public pages share. */

export type BookJson = Wire<typeof Book> | Wire<typeof EmbeddedBook>;
export type SubjectJson = Wire<typeof SimpleSubject>;
export type UserJson = Pick<Wire<typeof SimpleUser>, 'uid' | 'name' | 'avatar'>;

/** A text of several lines as paragraphs in its own language. */
export const paragraphs = (text: string): Html =>
  html`<div class="text" ${langOf(text) && html`lang="zh"`}>
    ${text
      .split(/\n+/)
      .filter((line) => line.trim() !== '')
      .map((line) => html`<p>${line.trim()}</p>`)}
  </div>`;

/** Names or links separated as the language of the page does it. */
export const list = ({ words }: SiteReader, pieces: readonly Piece[]): Piece =>
  pieces.map((piece, at) => [at > 0 && (words.lang === 'en' ? ', ' : '、'), piece]);

/** A value of a closed list in the language of the page; other values in their own language. */
export const translated = (words: Readonly<Record<string, string>>, value: string): Piece =>
  Object.hasOwn(words, value) ? words[value] : inOwnLanguage(value);

/** The day of a time of the API, `yyyy-MM-dd HH:mm:ss`, in the language of the page. */
export function day({ words }: SiteReader, time: string): Piece {
  const date = time.slice(0, 10);
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return time;
  const written = new Date(`${date}T00:00:00Z`).toLocaleDateString(words.lang, {
    ...{ timeZone: 'UTC', dateStyle: 'medium' },
  });
  return html`<time datetime="${date}">${written}</time>`;
}

/** Author and day of a text. */
export const byline = (reader: SiteReader, user: UserJson, time: string, more?: Piece): Html =>
  html`<p class="byline">
    ${avatar(user.avatar, 'small')}
    ${
      user.uid === ''
        ? user.name
        : html`<a href="${to.person(user.uid)}" rel="author"
            >${inOwnLanguage(user.name || user.uid)}</a
          >`
    }
    <span class="soft">${day(reader, time)}</span>${more}
  </p>`;

/** Stars that a user gave, of five; nothing without a rating. */
export const given = ({ words }: SiteReader, value: number): Piece =>
  value > 0 && html` ${stars(value, 5, words.rating.of(String(value), 5))}`;

/** The label of a link to all elements of a list, with their number. */
export const allOf = ({ words, number }: SiteReader, total: number): Html =>
  html`${words.page.all} <small>${number(total)}</small>`;

/** The original title of a hit if it has a word of the search, which the title lacks. */
const foundTitle = (original: string, title: string, q: string | undefined): Piece =>
  q !== undefined && original !== title && hasMatch(original, q) && highlighted(original, q);

/** A book with cover, author and rating. @param marked words of a search, which are marked */
export const bookCard = (reader: SiteReader, book: BookJson, marked?: string): Html =>
  card({
    href: to.book(book.id),
    title: book.title,
    marked,
    cover: { src: book.images.large, shape: 'book' },
    lines: [
      foundTitle(book.origin_title, book.title, marked),
      book.author.length > 0 && highlighted(book.author.slice(0, 2).join('、'), marked),
      rating(Number(book.rating.average), 10, reader.words.rating),
    ],
  });

/** A film or series with poster, year and rating. @param marked words of a search, which are marked */
export const subjectCard = (
  reader: SiteReader,
  subject: SubjectJson,
  line?: Piece,
  marked?: string,
): Html =>
  card({
    href: to.subject(subject.id),
    title: subject.title,
    marked,
    cover: { src: subject.images.large, shape: 'poster' },
    lines: [
      foundTitle(subject.original_title, subject.title, marked),
      line ?? subject.year,
      rating(subject.rating.average, 10, reader.words.rating),
    ],
  });

/** A page about a work or person. */
export interface WorkLayout {
  readonly picture: Html;
  readonly title: string;
  /** Beside the picture: makers and rating. */
  readonly head: Piece;
  /** Below the head; on phones below the picture: summary and tags. */
  readonly below?: Piece;
  /** The first section; on narrow screens before the panels. */
  readonly first?: Piece;
  /** Panels in a column beside the page; on narrow screens before the body. */
  readonly aside: Piece;
  readonly body: Piece;
}

/** Picture, title and head, with panels beside them, and sections below. */
export const workLayout = ({ picture, title, head, below, first, aside, body }: WorkLayout): Html =>
  html`<div class="work with-aside ${first && 'with-first'}">
    <article class="hero">
      <div class="picture">${picture}</div>
      <div class="content">
        <div>
          <h1 ${langOf(title) && html`lang="zh"`}>${title}</h1>
          ${head}
        </div>
        ${below && html`<div class="below">${below}</div>`}
      </div>
    </article>
    ${first && html`<div class="first">${first}</div>`}
    <aside>${aside}</aside>
    <div class="body">${body}</div>
  </div>`;

/** A text with panels beside it. */
export const textLayout = (text: Piece, aside: Piece): Html =>
  html`<div class="work with-aside">
    <div class="body">${text}</div>
    <aside>${aside}</aside>
  </div>`;

/** A panel about a work, for texts about it. */
export const aboutPanel = (
  title: Piece,
  {
    href,
    picture,
    name,
    lines,
  }: {
    readonly href: string;
    readonly picture: Html;
    readonly name: string;
    readonly lines: readonly Piece[];
  },
): Html =>
  panel(
    title,
    html`<div class="about">
      <a href="${href}" tabindex="-1" aria-hidden="true">${picture}</a>
      <div>
        <p class="title"><a href="${href}">${inOwnLanguage(name)}</a></p>
        ${lines.filter((line) => line !== undefined && line !== '' && line !== false).map((line) => html`<p class="soft">${line}</p>`)}
      </div>
    </div>`,
  );

/** A section with a heading; nothing without content. */
export const textSection = (title: string, text: string): Piece =>
  text.trim() !== '' && html`${sectionHead(title)}${paragraphs(text)}`;

/** The average of a work in large, with the number of raters. */
export const bigRating = (reader: SiteReader, average: number, raters: number): Html =>
  html`<p class="big-rating">
    ${rating(average, 10, reader.words.rating, true)}
    ${raters > 0 && html`<span class="soft">${reader.words.rating.raters(reader.number(raters))}</span>`}
  </p>`;

/** A text of a user in a list. */
export interface Entry {
  readonly href?: string;
  readonly title: string;
  readonly by: Html;
  readonly text: string;
  readonly below?: Piece;
}

/** Texts of users below each other. @param wide in two columns on wide screens */
export const entries = (items: readonly Entry[], wide = false): Html =>
  html`<ul class="entries ${wide && 'two'}">
    ${items.map(
      ({ href, title, by, text, below }) =>
        html`<li>
          ${
            title !== '' &&
            html`<h3>
              ${href === undefined ? highlighted(title, undefined) : html`<a href="${href}">${highlighted(title, undefined)}</a>`}
            </h3>`
          }
          ${by}
          <p ${langOf(text) && html`lang="zh"`}>${boundedText(text, MAX_REPLY)}</p>
          ${below}
        </li>`,
    )}
  </ul>`;

/** Users with their pictures. */
export const userList = (users: readonly UserJson[]): Html =>
  html`<ul class="users">
    ${users.map(
      ({ uid, name, avatar: picture }) =>
        html`<li>
          <a href="${to.person(uid)}">${avatar(picture, 'small')}${inOwnLanguage(name || uid)}</a>
        </li>`,
    )}
  </ul>`;
