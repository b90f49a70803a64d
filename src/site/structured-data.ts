import { type BookJson, type UserJson } from './parts';
import { type StructuredData } from './site-page';

/** Members of schema.org without the empty ones. */
export const withoutEmpty = (data: StructuredData): StructuredData =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) =>
        value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** Another name; undefined if it is the same. */
export const otherThan = (name: string, other: string): string | undefined =>
  other === name ? undefined : other;

/** People of schema.org by their names. */
export const people = (names: readonly string[]): StructuredData[] =>
  names.map((name) => ({ '@type': 'Person', name }));

/** An average on ten; undefined without ratings. */
export const aggregateRating = (average: number, count: number): StructuredData | undefined =>
  average > 0 && count > 0
    ? {
        '@type': 'AggregateRating',
        ratingValue: average,
        ratingCount: count,
        bestRating: 10,
        worstRating: 0,
      }
    : undefined;

/** A rating by one user, of five; undefined without one. */
export const reviewRating = (value: number): StructuredData | undefined =>
  value > 0 ? { '@type': 'Rating', ratingValue: value, bestRating: 5, worstRating: 1 } : undefined;

/** A book. */
export const bookData = (book: BookJson): StructuredData =>
  withoutEmpty({
    '@type': 'Book',
    '@id': book.alt,
    url: book.alt,
    name: book.title,
    alternateName: otherThan(book.title, book.origin_title),
    author: people(book.author),
    translator: people(book.translator),
    publisher:
      book.publisher === '' ? undefined : { '@type': 'Organization', name: book.publisher },
    datePublished: /^\d{4}(-\d\d)?(-\d\d)?$/.test(book.pubdate) ? book.pubdate : undefined,
    isbn: book.isbn13 || book.isbn10,
    numberOfPages: /^\d+$/.test(book.pages) ? Number(book.pages) : undefined,
    image: book.images.large,
    description: book.summary,
    aggregateRating: aggregateRating(Number(book.rating.average), book.rating.numRaters),
  });

/** A text about something. */
export const reviewData = (review: {
  readonly url: string;
  readonly name: string;
  readonly author: UserJson;
  readonly published: string;
  readonly text: string;
  readonly value: number;
  readonly about: StructuredData;
}): StructuredData =>
  withoutEmpty({
    '@type': 'Review',
    url: review.url,
    name: review.name,
    author: { '@type': 'Person', name: review.author.name || review.author.uid },
    datePublished: review.published.slice(0, 10),
    reviewBody: review.text,
    reviewRating: reviewRating(review.value),
    itemReviewed: review.about,
  });
