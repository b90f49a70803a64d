import { isDay } from '../../api/input/time';
import { statement, type SqlExecutor } from '../../database/database';
import { type Part } from '../engine/record-handler';
import { StoredHandler } from '../engine/stored.handler';
import { ensurePlaceholderCities, type PlaceholderCity } from '../events/loc.handler';
import { RecordError, RecordReader } from '../engine/record';
import { subjectReference } from './subject-reference';
import { lockMovieRows } from './movie-locks';
import { toPart, type MovieHandlers } from './movie-handlers';
import { parsePlaceholderSubject } from './subject.record';
import { ensurePlaceholders } from './placeholders';

/** The run of a movie in a city. Days are `yyyy-MM-dd`, both inclusive. */
export interface ShowingRecord {
  readonly subject_id: number;
  readonly city_id: number;
  readonly from_date: string;
  /** Null when not known. */
  readonly until_date: string | null;
  readonly city?: PlaceholderCity;
  readonly parts?: readonly Part[];
}

const COLUMNS = `s.subject_id::float8 AS subject_id, s.city_id::float8 AS city_id,
  s.from_date::text AS from_date, s.until_date::text AS until_date`;
const LOAD = statement(
  'import_export.showings',
  `SELECT ${COLUMNS} FROM unnest($1::bigint[], $2::bigint[], $3::date[])
     AS r(subject_id, city_id, from_date)
   JOIN showings s USING (subject_id, city_id, from_date)`,
);
const AFTER = statement(
  'import_export.showings_after',
  `WITH page AS (SELECT DISTINCT subject_id FROM showings WHERE subject_id > $1
     ORDER BY subject_id LIMIT $2)
   SELECT ${COLUMNS} FROM page JOIN showings s USING (subject_id)
   ORDER BY s.subject_id, s.city_id, s.from_date`,
);
const WRITE = statement(
  'import_export.write_showings',
  `INSERT INTO showings (subject_id, city_id, from_date, until_date)
   SELECT r.subject_id, r.city_id, r.from_date, r.until_date
   FROM json_to_recordset($1::json) AS r(subject_id bigint, city_id bigint, from_date date,
     until_date date)
   ORDER BY r.subject_id, r.city_id, r.from_date
   ON CONFLICT (subject_id, city_id, from_date) DO UPDATE SET until_date = EXCLUDED.until_date`,
);

/** A day, `yyyy-MM-dd`. @throws RecordError for other texts */
export function dayOf(text: string, name: string): string {
  if (isDay(text)) return text;
  throw new RecordError(`${name} must be a day like 2013-12-25`);
}

/** Imports and exports showings. */
export class ShowingHandler extends StoredHandler<ShowingRecord> {
  readonly name = 'showing';
  readonly member = 'showings';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly mergedReference = subjectReference<ShowingRecord>();

  constructor(private readonly family: MovieHandlers) {
    super();
  }

  parse(value: unknown): ShowingRecord {
    const reader = new RecordReader(value);
    const subject = reader.has('subject')
      ? parsePlaceholderSubject(this.family, reader.raw('subject'), 'subject')
      : undefined;
    const city = reader.object('city');
    const cityId = reader.id('city_id') ?? city?.id('id') ?? reader.requiredId('city_id');
    const from = dayOf(reader.requiredText('from'), 'from');
    const until = reader.has('until') ? dayOf(reader.text('until'), 'until') : null;
    if (until !== null && until < from) throw new RecordError('until must not be before from');
    return {
      subject_id: reader.id('subject_id') ?? subject?.id ?? reader.requiredId('subject_id'),
      city_id: cityId,
      from_date: from,
      until_date: until,
      city: { id: cityId, name: city?.id('id') === cityId ? city.text('name') : '' },
      parts: subject ? toPart(this.family.movie, [subject]) : [],
    };
  }

  override lockRows(executor: SqlExecutor, records: readonly ShowingRecord[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  override key({ subject_id, city_id, from_date }: ShowingRecord): string {
    return `${subject_id} ${city_id} ${from_date}`;
  }

  protected override idOf({ subject_id }: ShowingRecord): number {
    return subject_id;
  }

  protected override loadValues(records: readonly ShowingRecord[]): readonly unknown[] {
    return [
      records.map(({ subject_id }) => subject_id),
      records.map(({ city_id }) => city_id),
      records.map(({ from_date }) => from_date),
    ];
  }

  dependencies({ parts }: ShowingRecord): readonly Part[] {
    return parts ?? [];
  }

  async write(executor: SqlExecutor, records: readonly ShowingRecord[]): Promise<void> {
    await ensurePlaceholderCities(
      executor,
      records.map(({ city, city_id }) => city ?? { id: city_id, name: '' }),
    );
    await ensurePlaceholders(
      executor,
      records.map(({ subject_id }) => subject_id),
    );
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ subject_id, city_id, from_date, until_date }: ShowingRecord): Record<string, unknown> {
    return {
      subject_id: String(subject_id),
      city_id: String(city_id),
      from: from_date,
      until: until_date ?? undefined,
    };
  }
}
