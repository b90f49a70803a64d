import { type Readable } from 'node:stream';
import { readLines } from '../engine/line-splitter';
import { parseText } from '../engine/raw-record';
import { isKey } from './edition';

/** A line of Open Library's public dump: type, key, revision, time and JSON, separated by tabs. */
export interface DumpRecord {
  /** 1-based. */
  readonly line: number;
  /** For example `/type/edition`. */
  readonly type: string;
  /** For example `/books/OL1M`. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A line that is not a record. */
export interface DumpError {
  readonly line: number;
  readonly error: string;
}

function readLine(text: string, line: number): DumpRecord | DumpError {
  const columns = text.split('\t');
  const [type = '', key = '', , , json] = columns;
  if (json === undefined || !type.startsWith('/type/')) {
    return { line, error: 'not type, key, revision, time and JSON, separated by tabs' };
  }
  if (!isKey(key)) return { line, error: 'the key is invalid' };
  // JSON contains no unescaped tabs, but an edited file may.
  const { value, error } = parseText(columns.slice(4).join('\t'), line);
  if (error !== undefined) return { line, error };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, type, key, value: value as Record<string, unknown> };
  }
  return { line, error: 'the JSON is not an object' };
}

/**
 * The lines of a dump, which may be compressed; streamed, so that any size works.
 * @throws EncodingError for a file that is not UTF-8
 */
export async function* readDump(
  input: Readable,
): AsyncGenerator<(DumpRecord & { readonly size: number }) | DumpError> {
  for await (const { line, text, error, size } of readLines(input)) {
    if (text === undefined) yield { line, error: String(error) };
    else if (text.trim() !== '') {
      const read = readLine(text, line);
      yield 'error' in read ? read : { ...read, size };
    }
  }
}
