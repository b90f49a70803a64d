import { type Wire } from '../../api/resources/resource';
import { type RatingCount } from '../../books/book-pages.repository';
import { type Annotation, type Book, type OwnReview } from '../../books/books.resources';
import { plainText } from '../../text/markup';
import { shorten } from '../../text/shorten';
import { chips, crumbs, definitions, emptyState, sectionHead } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { cover, grid, inOwnLanguage, ratingBars } from '../../web/works';
import {
  bigRating,
  bookCard,
  byline,
  entries,
  given,
  hero,
  list,
  paragraphs,
  type BookJson,
} from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

export type AnnotationJson = Wire<typeof Annotation>;
export type ReviewJson = Wire<typeof OwnReview>;

/** Characters of a text in lists. */
const EXCERPT = 240;

/** The content of a book's page. */
export interface BookView {
  readonly book: Wire<typeof Book>;
  readonly ratings: readonly RatingCount[];
  readonly reviews: readonly ReviewJson[];
  readonly reviewsTotal: number;
  readonly annotations: readonly AnnotationJson[];
  readonly annotationsTotal: number;
  readonly seriesBooks: readonly BookJson[];
}

function facts(reader: SiteReader, book: BookView['book']): Html {
  const { book: words } = reader.words;
  const names = (people: readonly string[]): Piece =>
    people.length > 0 &&
    list(
      reader,
      people.map(
        (name) =>
          html`<a href="${PATHS.search}?kind=book&amp;q=${encodeURIComponent(name)}"
            >${inOwnLanguage(name)}</a
          >`,
      ),
    );
  return definitions([
    [words.author, names(book.author)],
    [words.translator, names(book.translator)],
    [words.publisher, inOwnLanguage(book.publisher)],
    [words.published, book.pubdate],
    [words.original, inOwnLanguage(book.origin_title)],
    [words.other, inOwnLanguage(book.alt_title)],
    [words.pages, book.pages],
    [words.binding, inOwnLanguage(book.binding)],
    [words.price, inOwnLanguage(book.price)],
    [words.isbn, book.isbn13 || book.isbn10],
    [
      words.series,
      book.series &&
        html`<a href="${to.series(book.series.id)}">${inOwnLanguage(book.series.title)}</a>`,
    ],
    [
      words.ebook,
      book.ebook_url !== undefined &&
        html`<span id="ebook">${inOwnLanguage(book.ebook_price ?? '')}</span>`,
    ],
  ]);
}

function distribution({ words }: SiteReader, ratings: readonly RatingCount[]): Piece {
  const total = ratings.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  const shares = [5, 4, 3, 2, 1].map((stars) => {
    const count = ratings.find((one) => one.stars === stars)?.count ?? 0;
    return { stars, share: (100 * count) / total, label: words.rating.stars(stars) };
  });
  return html`<div class="distribution">
    <h2 class="small">${words.rating.local}</h2>
    ${ratingBars(shares)}
  </div>`;
}

const textOf = (title: string, text: string): Piece =>
  text.trim() !== '' && html`${sectionHead(title)}${paragraphs(text)}`;

/** Annotations in a list. */
export const annotationEntries = (
  reader: SiteReader,
  items: readonly AnnotationJson[],
  withBook = false,
): Html =>
  entries(
    items.map((one) => ({
      href: to.annotation(one.id),
      title: [
        withBook ? one.book.title : '',
        one.chapter,
        one.page_no > 0 ? reader.words.book.page(one.page_no) : '',
      ]
        .filter((part) => part !== '')
        .join(' · '),
      by: byline(reader, one.author_user, one.time),
      text: shorten(plainText(one.content), EXCERPT),
    })),
  );

/** Reviews in a list. */
export const reviewEntries = (
  reader: SiteReader,
  items: readonly ReviewJson[],
  withBook = false,
): Html =>
  entries(
    items.map((one) => ({
      href: to.review(one.id),
      title: one.title,
      by: byline(reader, one.author, one.published, given(reader, Number(one.rating.value))),
      text: shorten(plainText(one.content), EXCERPT),
      below:
        withBook &&
        html`<p class="small">
          <a href="${to.book(one.book.id)}">${inOwnLanguage(one.book.title)}</a>
        </p>`,
    })),
  );

/** The page of a book. */
export function bookBody(reader: SiteReader, view: BookView): Html {
  const { book } = view;
  const { words, number } = reader;
  const heading = (title: string, total: number, href: string): Html =>
    sectionHead(
      title,
      total > 0
        ? { href, label: `${words.page.all} ${words.page.count(number(total))}` }
        : undefined,
    );
  return html`${crumbs(words.page.path, [{ href: PATHS.books, label: words.book.books }])}
  ${hero(
    cover({ src: book.images.large, alt: book.title, shape: 'book', eager: true }),
    book.title,
    html`${book.subtitle !== '' && html`<p class="lead">${inOwnLanguage(book.subtitle)}</p>`}
    ${bigRating(reader, Number(book.rating.average), book.rating.numRaters)}${facts(reader, book)}
    ${
      book.tags.length > 0 &&
      chips(
        book.tags.map(({ name, count }) => ({
          href: to.tag(name),
          label: inOwnLanguage(name),
          count: number(count),
        })),
      )
    }`,
    distribution(reader, view.ratings),
  )}
  ${textOf(words.book.summary, book.summary)} ${textOf(words.book.aboutAuthor, book.author_intro)}
  ${
    book.catalog.trim() !== '' &&
    html`${sectionHead(words.book.contents)}
      <details class="catalog">
        <summary>${inOwnLanguage(book.catalog.trim().split('\n')[0] ?? '')}</summary>
        ${paragraphs(book.catalog)}
      </details>`
  }
  ${heading(words.book.reviews, view.reviewsTotal, to.bookReviews(book.id))}
  ${view.reviews.length > 0 ? reviewEntries(reader, view.reviews) : emptyState(words.book.noReviews)}
  ${heading(words.book.annotations, view.annotationsTotal, to.bookAnnotations(book.id))}
  ${view.annotations.length > 0 ? annotationEntries(reader, view.annotations) : emptyState(words.book.noAnnotations)}
  ${
    view.seriesBooks.length > 0 &&
    html`${sectionHead(words.book.series, { href: to.series(book.series?.id ?? ''), label: words.page.all })}
    ${grid(view.seriesBooks.map((one) => bookCard(reader, one)))}`
  }`;
}

/** Links to the book of a text, above the text. */
export const bookCrumbs = ({ words }: SiteReader, book: BookJson): Html =>
  crumbs(words.page.path, [
    { href: PATHS.books, label: words.book.books },
    { href: to.book(book.id), label: inOwnLanguage(book.title) },
  ]);

/** A list of books as a page of its own. */
export const bookList = (
  reader: SiteReader,
  title: string,
  books: readonly BookJson[],
  pages: Piece,
): Html =>
  html`${crumbs(reader.words.page.path, [{ href: PATHS.books, label: reader.words.book.books }])}
    <h1>${inOwnLanguage(title)}</h1>
    ${books.length > 0 ? grid(books.map((book) => bookCard(reader, book))) : emptyState(reader.words.book.none)}
    ${pages}`;
