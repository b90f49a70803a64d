import { isbnForms } from '../../books/isbn';
import { parseBook, type BookRecord } from '../books/book.record';
import { headOf } from '../../text/head';
import { storable } from '../../text/storable';
import { RecordError } from '../engine/record';
import { isKey } from './dump';

type Json = Readonly<Record<string, unknown>>;

/** The stored fields of an author. */
export interface Author {
  readonly key: string;
  readonly name: string;
  readonly bio: string;
}

/** The stored fields of a work. */
export interface Work {
  readonly key: string;
  /** Keys of the authors. */
  readonly authors: readonly string[];
  readonly description: string;
  readonly subjects: readonly string[];
}

/** Maximum number of subjects that become tags. */
const MAX_TAGS = 8;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text, or the text of `{"type": "/type/text", "value": ...}`. */
function text(value: unknown): string {
  if (typeof value === 'string') return storable(value).trim();
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  const { value: inner } = value as Json;
  return typeof inner === 'string' ? storable(inner).trim() : '';
}

const texts = (value: unknown): string[] =>
  list(value)
    .map(text)
    .filter((one) => one !== '');

/** Keys of `[{"key": ...}]`, `[{"author": {"key": ...}}]` or a list of strings. */
function keysOf(value: unknown): string[] {
  const keyOf = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    const { key, author } = one as Json;
    return key ?? keyOf(author ?? '');
  };
  return list(value)
    .map(keyOf)
    .filter((key): key is string => typeof key === 'string' && isKey(key));
}

/** Keys of an edition's works. */
export const worksOf = (edition: Json): string[] => keysOf(edition.works);
export const authorsOf = (record: Json): string[] => keysOf(record.authors);

/** Reads an author's record. */
export const readAuthor = (key: string, value: Json): Author => ({
  key,
  name: text(value.name) || text(value.personal_name),
  bio: text(value.bio),
});

/** Reads a work's record. */
export const readWork = (key: string, value: Json): Work => ({
  key,
  authors: authorsOf(value),
  description: text(value.description),
  subjects: texts(value.subjects).slice(0, MAX_TAGS),
});

/** The first ISBN with a valid check digit. */
const isbn = (value: unknown, digits: number): string =>
  texts(value)
    .map((one) => isbnForms(one))
    .find(
      ([own, other]) => own?.length === digits && (other !== undefined || own.startsWith('979')),
    )
    ?.at(0) ?? '';

/** One line per entry: label, title and page. */
function contents(value: unknown): string {
  const lines = list(value).map((one) => {
    if (typeof one !== 'object' || one === null) return text(one);
    const { label, title, pagenum, value: plain } = one as Json;
    return [label, title ?? plain, pagenum].map(text).filter(Boolean).join(' ');
  });
  return lines.filter((line) => line !== '').join('\n');
}

/** Maximum length of the name of a series in UTF-16 units: each of its books has the name. */
const MAX_SERIES = 1000;

/** The name of the series without the volume: "Classics ; 12", "Classics, no. 12". */
const seriesOf = (value: unknown): string =>
  headOf(texts(value)[0] ?? '', MAX_SERIES)
    .replace(/(;|--|,\s*(no|v|vol|bk)\b\.?|\(|#).*$/is, '')
    .trim();

const translators = (value: unknown): string[] =>
  list(value)
    .map((one) => (typeof one === 'object' && one !== null ? (one as Json) : {}))
    .filter(({ role }) => /^translat/i.test(text(role)))
    .map(({ name }) => text(name))
    .filter((name) => name !== '');

/** A book from an edition, without id and series. */
export interface EditionBook {
  readonly book: BookRecord;
  /** Name of the series; empty for none. */
  readonly series: string;
}

/**
 * Makes a book from an edition, its work and its authors. Open Library has no ratings, prices,
 * pictures or e-books.
 * @throws RecordError for an edition without a title
 */
export function toBook(
  edition: Json,
  work: Work | undefined,
  authors: readonly Author[],
): EditionBook {
  const title = [text(edition.title_prefix), text(edition.title)].filter(Boolean).join(' ');
  if (title === '') throw new RecordError('title is missing');
  const subjects = texts(edition.subjects);
  const tags = [...new Set(subjects.length > 0 ? subjects : (work?.subjects ?? []))];
  const book = parseBook({
    title,
    subtitle: text(edition.subtitle),
    origin_title: text(edition.translation_of),
    alt_title: texts(edition.other_titles)[0] ?? '',
    isbn10: isbn(edition.isbn_10, 10),
    isbn13: isbn(edition.isbn_13, 13),
    author: [...new Set(authors.map(({ name }) => name))].filter((name) => name !== ''),
    translator: translators(edition.contributors),
    publisher: texts(edition.publishers).join(' / '),
    pubdate: text(edition.publish_date),
    pages: text(edition.number_of_pages) || text(edition.pagination),
    binding: text(edition.physical_format),
    author_intro: authors[0]?.bio ?? '',
    summary: text(edition.description) || (work?.description ?? ''),
    catalog: contents(edition.table_of_contents),
    tags: tags.slice(0, MAX_TAGS).map((name) => ({ name, count: 1 })),
  });
  return { book, series: seriesOf(edition.series) };
}
