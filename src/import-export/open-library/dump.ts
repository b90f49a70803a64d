import { type Readable } from 'node:stream';
import { readLines } from '../engine/line-splitter';
import { parseText } from '../engine/raw-record';

/** A line of Open Library's public dump: type, key, revision, time and JSON, separated by tabs. */
export interface DumpRecord {
  /** 1-based. */
  readonly line: number;
  /** For example `/books/OL1M`. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A line that is not a record. */
export interface DumpError {
  readonly line: number;
  readonly error: string;
}

/** Whether a text is a key of Open Library: 2 to 255 printable ASCII characters. */
export const isKey = (text: string): boolean => /^\/[!-~]{1,254}$/.test(text);

/** @returns undefined for a record of another type */
function readLine(text: string, line: number, wanted: string): DumpRecord | DumpError | undefined {
  const columns = text.split('\t');
  const [type = '', key = '', , , json] = columns;
  if (json === undefined || !type.startsWith('/type/')) {
    return { line, error: 'not type, key, revision, time and JSON, separated by tabs' };
  }
  if (type !== wanted) return undefined;
  if (!isKey(key)) return { line, error: 'the key is invalid' };
  // JSON contains no unescaped tabs, but an edited file may.
  const { value, error } = parseText(columns.slice(4).join('\t'), line);
  if (error !== undefined) return { line, error };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, key, value: value as Record<string, unknown> };
  }
  return { line, error: 'the JSON is not an object' };
}

/**
 * The records of one type in a dump, which may be compressed; streamed, so that any size works.
 * Redirects and deleted records occur among them and are not errors.
 *
 * @param type for example `edition`
 * @throws EncodingError for a file that is not UTF-8
 */
export async function* readDump(
  input: Readable,
  type: string,
): AsyncGenerator<(DumpRecord & { readonly size: number }) | DumpError> {
  for await (const { line, text, error, size } of readLines(input)) {
    if (text === undefined) yield { line, error: String(error) };
    else if (text.trim() !== '') {
      const read = readLine(text, line, `/type/${type}`);
      if (read) yield 'error' in read ? read : { ...read, size };
    }
  }
}
