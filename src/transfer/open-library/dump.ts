import { type Readable } from 'node:stream';
import { decoded } from '../decoded';

/** A line of Open Library's public dump: type, key, revision, time and JSON, parted by tabs. */
export interface DumpRecord {
  /** From 1. */
  readonly line: number;
  /** `/type/edition` and the like. */
  readonly type: string;
  /** `/books/OL1M` and the like. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A line that is none. */
export interface DumpFault {
  readonly line: number;
  readonly fault: string;
}

function readLine(text: string, line: number): DumpRecord | DumpFault {
  const columns = text.split('\t');
  const [type = '', key = '', , , json] = columns;
  if (json === undefined || !type.startsWith('/type/')) {
    return { line, fault: 'not type, key, revision, time and JSON, parted by tabs' };
  }
  try {
    // JSON has no tabs of its own; a file that somebody touched may.
    const value: unknown = JSON.parse(columns.slice(4).join('\t'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, type, key, value: value as Record<string, unknown> };
    }
    return { line, fault: 'the JSON is no object' };
  } catch {
    return { line, fault: 'not valid JSON' };
  }
}

/** The lines of a dump, packed or not; streamed, so that size does not matter. */
export async function* readDump(input: Readable): AsyncGenerator<DumpRecord | DumpFault> {
  let line = 0;
  let pending = '';
  for await (const chunk of decoded(input)) {
    const parts = (pending + chunk).split('\n');
    pending = parts.pop() ?? '';
    for (const part of parts) {
      line += 1;
      if (part.trim() !== '') yield readLine(part, line);
    }
  }
  if (pending.trim() !== '') yield readLine(pending, line + 1);
}
