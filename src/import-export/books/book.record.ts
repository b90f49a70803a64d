import { bareIsbn } from '../../books/isbn';
import { MAX_TEXTS, RecordError, RecordReader } from '../engine/record';

/** A book in a file: specification section 2.1, with base rating and base tag counts. */
export interface BookRecord {
  /** Absent in handwritten files; the ISBN identifies the book then. */
  readonly id: number | undefined;
  readonly kind: string;
  readonly isbn10: string;
  readonly isbn13: string;
  readonly title: string;
  readonly origin_title: string;
  readonly alt_title: string;
  readonly subtitle: string;
  readonly image_small: string;
  readonly image_medium: string;
  readonly image_large: string;
  readonly author: readonly string[];
  readonly translator: readonly string[];
  readonly publisher: string;
  readonly pubdate: string;
  readonly binding: string;
  readonly price: string;
  readonly pages: string;
  readonly series: { readonly id: number; readonly title: string } | null;
  readonly author_intro: string;
  readonly summary: string;
  readonly catalog: string;
  readonly ebook_url: string | null;
  readonly ebook_price: string | null;
  readonly raters: number;
  /** On a scale of 10 with one decimal: `"8.8"`. */
  readonly average: string;
  readonly tags: readonly { readonly count: number; readonly name: string }[];
}

function readAverage(rating: RecordReader | undefined): string {
  const text = rating?.text('average') ?? '';
  const average = text === '' ? 0 : Number(text);
  if (!(average >= 0 && average <= 10)) {
    throw new RecordError('rating.average must be from 0 to 10');
  }
  return average.toFixed(1);
}

function readTags(reader: RecordReader): BookRecord['tags'] {
  const list = reader.list('tags');
  if (list.length > MAX_TEXTS) {
    throw new RecordError(`tags must be a list of at most ${MAX_TEXTS} tags`);
  }
  const counts = new Map<string, number>();
  for (const value of list) {
    const tag = new RecordReader(value, 'tags');
    const name = tag.text('name') || tag.text('title');
    if (name !== '') counts.set(name, Math.max(counts.get(name) ?? 0, tag.count('count')));
  }
  // In display order, without tags that have no count.
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ count, name }))
    .sort((one, other) => other.count - one.count);
}

function readSeries(reader: RecordReader): BookRecord['series'] {
  const series = reader.object('series');
  return series ? { id: series.requiredId('id'), title: series.text('title') } : null;
}

/** Parses a book. @throws RecordError with the reason */
export function parseBook(value: unknown, path = ''): BookRecord {
  const reader = new RecordReader(value, path);
  const images = reader.object('images');
  const rating = reader.object('rating');
  const ebook = reader.text('ebook_url');
  const medium = images?.text('medium') || reader.text('image');
  return {
    id: reader.id('id'),
    kind: reader.text('kind') || 'book',
    isbn10: bareIsbn(reader.text('isbn10')),
    isbn13: bareIsbn(reader.text('isbn13')),
    title: reader.requiredText('title'),
    origin_title: reader.text('origin_title'),
    alt_title: reader.text('alt_title'),
    subtitle: reader.text('subtitle'),
    image_small: images?.text('small') || medium,
    image_medium: medium,
    image_large: images?.text('large') || medium,
    author: reader.texts('author'),
    translator: reader.texts('translator'),
    publisher: reader.text('publisher'),
    pubdate: reader.text('pubdate'),
    binding: reader.text('binding'),
    price: reader.text('price'),
    pages: reader.text('pages'),
    series: readSeries(reader),
    author_intro: reader.text('author_intro'),
    summary: reader.text('summary'),
    catalog: reader.text('catalog'),
    ebook_url: ebook === '' ? null : ebook,
    ebook_price: ebook === '' ? null : reader.text('ebook_price'),
    raters: rating?.count('numRaters') ?? 0,
    average: readAverage(rating),
    tags: readTags(reader),
  };
}

/** A book of which only the id is known, as the subject of other records. */
export const placeholderBook = (id: number): BookRecord => ({
  ...parseBook({ id, title: '-' }),
  title: '',
});

/** The book in the service's own JSON shape. */
export function wireBook(book: BookRecord) {
  const { id, kind, series, ebook_url, ebook_price, raters, average } = book;
  const { image_small: small, image_medium: medium, image_large: large, ...text } = book;
  return {
    id: String(id),
    ...(kind === 'book' ? {} : { kind }),
    isbn10: text.isbn10,
    isbn13: text.isbn13,
    title: text.title,
    origin_title: text.origin_title,
    alt_title: text.alt_title,
    subtitle: text.subtitle,
    image: medium,
    images: { small, large, medium },
    author: text.author,
    translator: text.translator,
    publisher: text.publisher,
    pubdate: text.pubdate,
    rating: { max: 10, min: 0, numRaters: raters, average },
    tags: text.tags,
    binding: text.binding,
    price: text.price,
    ...(series ? { series: { id: String(series.id), title: series.title } } : {}),
    pages: text.pages,
    author_intro: text.author_intro,
    summary: text.summary,
    catalog: text.catalog,
    ...(ebook_url === null ? {} : { ebook_url, ebook_price }),
  };
}

/** Names of the members of a book in a file. */
export type BookMember = keyof ReturnType<typeof wireBook>;

const LAST = 99;

/**
 * Parses a free-form publication date into a sortable number, yyyymmdd: `2003-11`, `1997年5月`,
 * `May 2001`. Missing parts sort after existing ones; null when there is no year.
 */
export function publishedOn(pubdate: string): number | null {
  const match =
    /(\d{4})(?:\D{1,3}(0?[1-9]|1[0-2])(?!\d)(?:\D{1,3}(0?[1-9]|[12]\d|3[01])(?!\d))?)?/.exec(
      pubdate,
    );
  if (!match) return null;
  const [, year = '0', month, day] = match;
  return Number(year) * 10000 + Number(month ?? LAST) * 100 + Number(day ?? LAST);
}
