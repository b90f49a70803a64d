import { MAX_CONTENT } from '../api/input/text-limits';
import { headOf } from '../text/head';
import { shorten } from '../text/shorten';
import { MAX_NAME } from '../web/record-components';

/**
 * Limits of the record members that pages show: imports accept texts of 1 MB, and a page has at
 * most 8 MB. The API has the complete values.
 */

/**
 * Maximum length of a long text in UTF-16 units: that of texts of users, whose length is counted in
 * code points.
 */
export const MAX_TEXT = 2 * MAX_CONTENT;

/** Maximum length of the text form of a note in UTF-16 units, with its pictures. */
export const MAX_NOTE = 4 * MAX_CONTENT;

/** Maximum length of an address. A longer one is omitted. */
export const MAX_ADDRESS = 2048;

/** Maximum number of elements of a list within a record, such as the authors of a book. */
export const MAX_ELEMENTS = 100;

/** Members that are long texts. */
const TEXTS: ReadonlySet<string> = new Set([
  'author_intro',
  'catalog',
  'content',
  'desc',
  'summary',
]);

const ADDRESS = /^(?:https?:\/)?\/\S*$/i;

/** The beginning of a long text; an ellipsis stands for the rest. */
export const boundedText = (text: string, units = MAX_TEXT): string =>
  text.length <= units ? text : `${headOf(text, units)}…`;

function boundedString(name: string, text: string): string {
  if (text.length <= MAX_NAME) return text;
  if (TEXTS.has(name)) return boundedText(text);
  const isAddress = ADDRESS.test(text.slice(0, MAX_ADDRESS));
  if (!isAddress) return shorten(text, MAX_NAME);
  return text.length <= MAX_ADDRESS ? text : '';
}

function boundedValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return boundedString(name, value);
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ELEMENTS).map((element) => boundedValue(name, element));
  }
  return typeof value === 'object' && value !== null ? boundedJson(value) : value;
}

/** A copy of the JSON of a record in which texts and lists are within the bounds of pages. */
export const boundedJson = <T extends object>(json: T): T =>
  Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, boundedValue(name, value)]),
  ) as T;
