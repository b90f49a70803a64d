import { type Wire } from '../../api/resources/resource';
import { type CollectionCount } from '../../books/book-pages.repository';
import { type Book } from '../../books/books.resources';
import { chips, counts, crumbs, emptyState, facts, panel, sectionHead } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { cover, grid, inOwnLanguage, ratingBars } from '../../web/record-components';
import {
  allOf,
  bigRating,
  bookCard,
  list,
  paragraphs,
  textSection,
  userList,
  workLayout,
  type BookJson,
  type UserJson,
} from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';
import {
  annotationEntries,
  reviewEntries,
  type AnnotationJson,
  type ReviewJson,
} from './book.texts';

/** The content of a book's page. */
export interface BookView {
  readonly book: Wire<typeof Book>;
  readonly collections: readonly CollectionCount[];
  readonly readers: readonly UserJson[];
  readonly reviews: readonly ReviewJson[];
  readonly reviewsTotal: number;
  readonly annotations: readonly AnnotationJson[];
  readonly annotationsTotal: number;
  readonly seriesBooks: readonly BookJson[];
  /** Other books with the first tag. */
  readonly similar: readonly BookJson[];
}

const authorLinks = (reader: SiteReader, people: readonly string[]): Piece =>
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

function bookFacts(reader: SiteReader, book: BookView['book']): Html {
  const { book: words } = reader.words;
  return panel(
    words.facts,
    facts([
      [words.author, authorLinks(reader, book.author), book.author.length > 1],
      [words.translator, authorLinks(reader, book.translator)],
      [words.publisher, inOwnLanguage(book.publisher)],
      [words.published, book.pubdate],
      [words.original, inOwnLanguage(book.origin_title), true],
      [words.other, inOwnLanguage(book.alt_title), true],
      [words.pages, book.pages],
      [words.binding, inOwnLanguage(book.binding)],
      [words.price, inOwnLanguage(book.price)],
      [words.isbn, book.isbn13 || book.isbn10],
      [
        words.series,
        book.series &&
          html`<a href="${to.series(book.series.id)}">${inOwnLanguage(book.series.title)}</a>`,
        true,
      ],
      [
        words.ebook,
        book.ebook_url !== undefined &&
          html`<span id="ebook">${inOwnLanguage(book.ebook_price ?? '')}</span>`,
      ],
    ]),
  );
}

/** Fewer ratings than these say nothing about a book. */
const MIN_RATINGS = 5;

/** The ratings of this service: those of a book also count readers elsewhere. */
function distribution({ words, number }: SiteReader, collections: BookView['collections']): Piece {
  const rated = collections.filter(({ stars }) => stars !== null);
  const total = rated.reduce((sum, { count }) => sum + count, 0);
  if (total < MIN_RATINGS) return undefined;
  const rows = [5, 4, 3, 2, 1].map((stars) => {
    const count = rated.reduce((sum, one) => sum + (one.stars === stars ? one.count : 0), 0);
    return { stars, count, label: words.rating.stars(stars) };
  });
  return panel(words.rating.local(number(total)), ratingBars(rows, number));
}

/** How many have, read and want the book on this service, and some of them. */
function readersPanel(
  { words, number }: SiteReader,
  { collections, readers }: Pick<BookView, 'collections' | 'readers'>,
): Piece {
  if (collections.length === 0) return undefined;
  const statuses = (['read', 'reading', 'wish'] as const).map((status) => {
    const of = collections.filter((one) => one.status === status);
    const total = of.reduce((sum, { count }) => sum + count, 0);
    return [words.book.statuses[status], number(total)] as const;
  });
  return panel(words.book.readers, html`${counts(statuses)}${userList(readers)}`);
}

/** The page of a book. */
export function bookBody(reader: SiteReader, view: BookView): Html {
  const { book } = view;
  const { words, number } = reader;
  const heading = (title: string, total: number, href: string): Html =>
    sectionHead(title, total > 0 ? { href, label: allOf(reader, total) } : undefined);
  const [tag] = book.tags;
  const published = [book.publisher, book.pubdate].filter((part) => part !== '').join(' · ');
  return html`${crumbs(words.page.path, [{ href: PATHS.books, label: words.book.books }])}
  ${workLayout({
    picture: cover({ src: book.images.large, alt: book.title, shape: 'book', eager: true }),
    title: book.title,
    head: html`${book.subtitle !== '' && html`<p class="lead">${inOwnLanguage(book.subtitle)}</p>`}
    ${book.author.length > 0 && html`<p class="makers">${authorLinks(reader, book.author)}</p>`}
    ${bigRating(reader, Number(book.rating.average), book.rating.numRaters)}
    ${published !== '' && html`<p class="soft">${inOwnLanguage(published)}</p>`}`,
    below: html`${book.summary.trim() !== '' && paragraphs(book.summary)}
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
    aside: html`${distribution(reader, view.collections)}${readersPanel(reader, view)}
    ${bookFacts(reader, book)}`,
    body: html`${textSection(words.book.aboutAuthor, book.author_intro)}
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
    ${view.annotations.length > 0 ? annotationEntries(reader, view.annotations) : emptyState(words.book.noAnnotations)}`,
  })}
  ${
    view.seriesBooks.length > 0 &&
    html`${sectionHead(words.book.series, { href: to.series(book.series?.id ?? ''), label: words.page.all })}
    ${grid(view.seriesBooks.map((one) => bookCard(reader, one)))}`
  }
  ${
    tag !== undefined &&
    view.similar.length > 0 &&
    html`${sectionHead(words.book.similar(tag.name), { href: to.tag(tag.name), label: words.page.all })}
    ${grid(view.similar.map((one) => bookCard(reader, one)))}`
  }`;
}
