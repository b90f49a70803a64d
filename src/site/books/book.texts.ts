import { resource, type Wire } from '../../api/resources/resource';
import { Annotation, type OwnReview } from '../../books/books.resources';
import { plainBeginning } from '../../text/markup';
import { shorten } from '../../text/shorten';
import { crumbs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { cover, grid, inOwnLanguage, rating } from '../../web/record-components';
import { aboutPanel, bookCard, byline, entries, given, type BookJson } from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

const { abstract: _abstract, hasmath: _hasmath, ...annotationMembers } = Annotation.fields;

/** An annotation without the members that the API computes from its text: no page shows them. */
export const PageAnnotation = resource('PageAnnotation', annotationMembers);

export type AnnotationJson = Wire<typeof PageAnnotation>;
export type ReviewJson = Wire<typeof OwnReview>;

/** Characters of a text in lists. */
const EXCERPT = 240;

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
      text: shorten(plainBeginning(one.content), EXCERPT),
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
      text: shorten(plainBeginning(one.content), EXCERPT),
      below:
        withBook &&
        html`<p class="small">
          <a href="${to.book(one.book.id)}">${inOwnLanguage(one.book.title)}</a>
        </p>`,
    })),
  );

/** Links to the book of a text, above the text. */
export const bookCrumbs = ({ words }: SiteReader, book: BookJson): Html =>
  crumbs(words.page.path, [
    { href: PATHS.books, label: words.book.books },
    { href: to.book(book.id), label: inOwnLanguage(book.title) },
  ]);

/** A list of books as a page of its own. @param pages links to other pages, or an empty state */
export const bookList = (
  reader: SiteReader,
  title: string,
  books: readonly BookJson[],
  pages: Piece,
): Html =>
  html`${crumbs(reader.words.page.path, [{ href: PATHS.books, label: reader.words.book.books }])}
    <h1>${inOwnLanguage(title)}</h1>
    ${books.length > 0 && grid(books.map((book) => bookCard(reader, book)))}${pages}`;

/** The book of a text, beside the text. */
export const aboutBook = (reader: SiteReader, book: BookJson): Html =>
  aboutPanel(reader.words.book.aboutBook, {
    href: to.book(book.id),
    picture: cover({ src: book.images.large, alt: '', name: book.title, shape: 'book' }),
    name: book.title,
    lines: [
      inOwnLanguage(book.author.join('、')),
      inOwnLanguage([book.publisher, book.pubdate].filter((part) => part !== '').join(' · ')),
      rating(Number(book.rating.average), 10, reader.words.rating),
    ],
  });
