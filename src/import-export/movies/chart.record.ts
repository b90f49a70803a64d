import { CHART_NAMES } from '../../movies/chart-names';
import { type Part } from '../engine/record-handler';
import { RecordError, RecordReader } from '../engine/record';
import { toPart, type MovieHandlers } from './movie-handlers';
import { dayOf } from './showing.handler';
import { type SubjectRecord } from './subject.record';
import { parsePlaceholderSubject } from './subject.record';

/** A rank of a chart. */
export interface ChartEntry {
  readonly rank: number;
  readonly subject_id: number;
  readonly box: number;
  readonly new: boolean;
  readonly delta: number;
}

/** The snapshot of a chart on one day, or a page of it (D36). */
export interface ChartRecord {
  readonly name: string;
  /** Undefined until `resolveIds`, which sets today. */
  readonly date: string | undefined;
  readonly city_id: number | null;
  /** Name, uid or id of the city, if only that is given. */
  readonly city?: string | undefined;
  /** The name of the city `city_id`. */
  readonly city_name?: string | undefined;
  readonly period: string | undefined;
  readonly computed: boolean;
  readonly entries: readonly ChartEntry[];
  /** Set for a page of a longer chart: other ranks up to `total` stay. */
  readonly page?: { readonly total: number } | undefined;
  readonly parts?: readonly Part[];
}

/** The date range of a box-office chart (D36). */
const PERIOD = /^\d{1,2}月\d{1,2}日 - \d{1,2}月\d{1,2}日$/;

/** Command-line options for the charts in a file. */
export interface ChartOptions {
  readonly name?: string | undefined;
  readonly date?: string | undefined;
  readonly city?: string | undefined;
  /** The city of charts whose title does not name one (D37). */
  readonly defaultCity?: string | undefined;
}

/** @throws RecordError listing the valid names */
export function chartName(name: string): string {
  if ((CHART_NAMES as readonly string[]).includes(name)) return name;
  throw new RecordError(
    name === ''
      ? 'the name of the chart is missing (--name)'
      : `chart not found: ${name}; available charts: ${CHART_NAMES.join(', ')}`,
  );
}

function readEntry(
  family: MovieHandlers,
  value: unknown,
  rank: number,
): { entry: ChartEntry; subject: SubjectRecord | undefined } {
  const reader = new RecordReader(value, 'subjects');
  const bare = !reader.has('subject') && !reader.has('subject_id');
  const inside = bare ? value : reader.raw('subject');
  const subject =
    inside === undefined ? undefined : parsePlaceholderSubject(family, inside, 'subjects.subject');
  const input = reader.count('rank');
  const delta = Number(reader.text('delta') || 0);
  if (!Number.isInteger(delta) || Math.abs(delta) > 1_000_000) {
    throw new RecordError('subjects.delta must be an integer');
  }
  const entry = {
    rank: bare || input === 0 ? rank : input,
    subject_id: reader.id('subject_id') ?? subject?.id ?? reader.requiredId('subject_id'),
    box: bare ? 0 : reader.amount('box'),
    new: !bare && reader.raw('new') === true,
    delta: bare ? 0 : delta,
  };
  return { entry, subject };
}

function readEntries(
  family: MovieHandlers,
  reader: RecordReader,
): { entries: ChartEntry[]; parts: readonly Part[] } {
  const start = reader.count('start');
  const list = reader.list(reader.has('entries') ? 'entries' : 'subjects');
  const entries = new Map<number, ChartEntry>();
  const subjects: SubjectRecord[] = [];
  list.forEach((value, at) => {
    const { entry, subject } = readEntry(family, value, start + at + 1);
    if (entries.has(entry.rank)) throw new RecordError(`rank ${entry.rank} occurs more than once`);
    entries.set(entry.rank, entry);
    if (subject) subjects.push(subject);
  });
  const ranked = [...entries.values()].sort((one, other) => one.rank - other.rank);
  return { entries: ranked, parts: toPart(family.movie, subjects) };
}

/**
 * Parses a chart, either exported or as an API response, which has no name and no day.
 * @throws RecordError with the reason
 */
export function parseChart(
  family: MovieHandlers,
  value: unknown,
  options: ChartOptions,
): ChartRecord {
  const reader = new RecordReader(value);
  if (!reader.has('subjects') && !reader.has('entries')) {
    throw new RecordError('subjects is missing');
  }
  const exported = reader.has('name');
  const name = chartName(options.name ?? reader.text('name'));
  // In a response, `date` is the date range of the numbers.
  const date = options.date ?? (exported ? reader.text('date') : '');
  const period = exported ? reader.text('period') : reader.text('date');
  const cityId = options.city === undefined ? reader.id('city_id') : undefined;
  const title = /-([^-]+)$/.exec(reader.text('title'))?.[1]?.trim();
  if (name === 'us_box' && period !== '' && !PERIOD.test(period)) {
    throw new RecordError('date must be days like 5月19日 - 5月21日');
  }
  const inCity = name === 'in_theaters';
  const { entries, parts } = readEntries(family, reader);
  return {
    name,
    date: date === '' ? undefined : dayOf(date, 'date'),
    city_id: inCity ? (cityId ?? null) : null,
    city: inCity && cityId === undefined ? (options.city ?? title) : undefined,
    city_name: inCity ? reader.text('city') : '',
    period: exported || reader.has('date') ? period : undefined,
    computed: reader.raw('computed') === true,
    entries,
    page: !exported && reader.has('total') ? { total: reader.count('total') } : undefined,
    parts,
  };
}
