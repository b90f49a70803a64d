import { type Wire } from '../api/resources/resource';
import { type Book, type EmbeddedBook } from '../books/books.resources';
import { type SimpleSubject } from '../movies/movies.resources';
import { type SimpleUser } from '../users/users.resources';
import { html, type Html, type Piece } from '../web/html';
import { avatar, card, inOwnLanguage, langOf, rating, stars } from '../web/works';
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

/** A book with cover, author and rating. */
export const bookCard = (reader: SiteReader, book: BookJson, marked?: string): Html =>
  card({
    href: to.book(book.id),
    title: book.title,
    marked,
    cover: { src: book.images.large, shape: 'book' },
    lines: [
      book.author.length > 0 && inOwnLanguage(book.author.slice(0, 2).join('、')),
      rating(Number(book.rating.average), 10, reader.words.rating),
    ],
  });

/** A film or series with poster, year and rating. */
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
    lines: [line ?? subject.year, rating(subject.rating.average, 10, reader.words.rating)],
  });

/** The head of a page about a work: picture, title, rating, facts. @param beside a third column */
export const hero = (picture: Html, title: string, content: Piece, beside?: Piece): Html =>
  html`<article class="hero ${beside ? 'beside' : ''}">
    <div class="picture">${picture}</div>
    <div>
      <h1 ${langOf(title) && html`lang="zh"`}>${title}</h1>
      ${content}
    </div>
    ${beside}
  </article>`;

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

/** Texts of users below each other. */
export const entries = (items: readonly Entry[]): Html =>
  html`<ul class="entries">
    ${items.map(
      ({ href, title, by, text, below }) =>
        html`<li>
          ${
            title !== '' &&
            html`<h3>
              ${href === undefined ? inOwnLanguage(title) : html`<a href="${href}">${inOwnLanguage(title)}</a>`}
            </h3>`
          }
          ${by}
          <p ${langOf(text) && html`lang="zh"`}>${text}</p>
          ${below}
        </li>`,
    )}
  </ul>`;
