import { toText } from '../../text/to-text';
import { type ImportError, type ImportSummary } from './import-options';
import { type ParsedRecord } from './parsed-record';
import { type Outcome, type RecordHandler } from './record-handler';
import { type Comparison } from './store';

/** Records to show per outcome. */
const SHOWN = 20;
/** Rejected records to show. */
const SHOWN_ERRORS = 100;
/** Members to show per updated record. */
const SHOWN_CHANGES = 20;

/** Maximum length in characters of a shown value, and of its unchanged start. */
const MAX_VALUE = 120;
const MAX_COMMON_START = 20;
const MAX_TITLE = 80;

/** Members that name a record, by preference. */
const TITLES = ['title', 'name', 'uid', 'content', 'comment', 'summary'];

/** A member that an import would change; its values are shortened. */
export interface MemberChange {
  readonly member: string;
  readonly from: string;
  readonly to: string;
}

/** Why an import would not change a record. */
export type SkipReason = 'equal' | 'reference' | 'repeated';

/** A record in the preview of an import. */
export interface PreviewedRecord {
  /** Undefined for a record that the import merges with others. */
  readonly line: number | undefined;
  /** Undefined for a record that gets its id from the import. */
  readonly id: string | undefined;
  readonly title: string;
  /** Of an updated record; empty when only nested records change. */
  readonly changes: readonly MemberChange[];
  /** Of an unchanged record. */
  readonly reason?: SkipReason;
}

/** What an import would do: all counts, and the first records of each outcome. */
export interface ImportPreview {
  readonly summary: ImportSummary;
  /** Whether all of the file was read. */
  readonly isComplete: boolean;
  /** Bytes that were read, decompressed. */
  readonly bytes: number;
  readonly imported: readonly PreviewedRecord[];
  readonly updated: readonly PreviewedRecord[];
  readonly skipped: readonly PreviewedRecord[];
  readonly errors: readonly ImportError[];
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** Shortens two values so that their first difference is visible. */
function shortenPair(from: string, to: string): [string, string] {
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const skipped = common > MAX_COMMON_START ? common - MAX_COMMON_START : 0;
  const cut = (text: string): string =>
    shorten(skipped > 0 ? `…${text.slice(skipped)}` : text, MAX_VALUE);
  return [cut(from), cut(to)];
}

function changesBetween(
  stored: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): MemberChange[] {
  const changes: MemberChange[] = [];
  for (const member of new Set([...Object.keys(stored), ...Object.keys(record)])) {
    if (JSON.stringify(stored[member]) === JSON.stringify(record[member])) continue;
    const [from, to] = shortenPair(toText(stored[member]), toText(record[member]));
    changes.push({ member, from, to });
    if (changes.length === SHOWN_CHANGES) break;
  }
  return changes;
}

function titleOf(json: Readonly<Record<string, unknown>>): string {
  const member = TITLES.find((name) => typeof json[name] === 'string' && json[name] !== '');
  return member === undefined ? '' : shorten(toText(json[member]), MAX_TITLE);
}

/** Collects the preview of an import from a dry run. */
export class PreviewCollector implements Pick<ImportPreview, Outcome | 'errors'> {
  readonly imported: PreviewedRecord[] = [];
  readonly updated: PreviewedRecord[] = [];
  readonly skipped: PreviewedRecord[] = [];
  readonly errors: ImportError[] = [];
  failed = 0;

  readonly onError = (error: ImportError): void => {
    this.failed += 1;
    if (this.errors.length < SHOWN_ERRORS) this.errors.push(error);
  };

  readonly onCompared = (comparison: Comparison, batch: readonly ParsedRecord[]): void => {
    const { kind, records, outcomes } = comparison;
    const lines = linesOf(kind, records, batch);
    records.forEach((_, at) => {
      const shown = this[outcomes[at] ?? 'skipped'];
      if (shown.length < SHOWN) shown.push(this.previewed(comparison, at, lines[at]));
    });
    if (records.length === batch.length) return;
    const used = new Set(lines);
    for (const { line, record } of batch) {
      if (this.skipped.length >= SHOWN) break;
      if (used.has(line)) continue;
      const title = titleOf(record as Record<string, unknown>);
      const id = kind.key(record);
      this.skipped.push({ line, id, title, changes: [], reason: 'repeated' });
    }
    this.skipped.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  };

  private previewed(
    { kind, records, outcomes, stored }: Comparison,
    at: number,
    line: number | undefined,
  ): PreviewedRecord {
    const record = records[at];
    const json = kind.toJson(record);
    const id = kind.key(record);
    const shown = { line, id, title: titleOf(json), changes: [] };
    if (outcomes[at] === 'skipped') {
      return { ...shown, reason: kind.isReferenceOnly?.(record) === true ? 'reference' : 'equal' };
    }
    const existing = id === undefined ? undefined : stored.get(id);
    if (outcomes[at] === 'imported' || existing === undefined) return shown;
    return { ...shown, changes: changesBetween(kind.toJson(existing), json) };
  }
}

/** The lines of records after `resolveIds`, which keeps their order and merges those with one key. */
function linesOf(
  kind: RecordHandler,
  records: readonly unknown[],
  batch: readonly ParsedRecord[],
): (number | undefined)[] {
  if (records.length === batch.length) return batch.map(({ line }) => line);
  const lineOfKey = new Map(batch.map(({ line, record }) => [kind.key(record), line]));
  return records.map((record) => lineOfKey.get(kind.key(record)));
}
