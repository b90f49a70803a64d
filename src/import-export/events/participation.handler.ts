import { isDay } from '../../api/input/time';
import { statement, type SqlExecutor } from '../../database/database';
import { recordTime } from '../engine/record-time';
import { StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { reserveIds } from '../engine/sequences';
import { ensureUsersOf } from '../users/authors';
import { type ContentReference } from '../engine/conflicting-records';

/** A user's participation or interest in an event. */
export interface ParticipationRecord {
  /** Breaks ties in lists. A stored row keeps its id, and an id in use is not assigned. */
  readonly id: number | undefined;
  readonly event_id: number;
  readonly user_id: number;
  readonly kind: string;
  /** When the user joined; an omitted value keeps the stored one. */
  readonly date: string | undefined;
  /** The planned day, `yyyy-MM-dd`; null when not specified. */
  readonly participate_date: string | null;
}

const COLUMNS = `a.id::float8 AS id, a.event_id::float8 AS event_id, a.user_id::float8 AS user_id, a.kind,
  ${recordTime('a.joined_at')} AS date, to_char(a.participate_on, 'YYYY-MM-DD') AS participate_date`;
const LOAD = statement(
  'import_export.participations',
  `SELECT ${COLUMNS} FROM participations a
   JOIN unnest($1::bigint[], $2::text[], $3::bigint[]) AS r(user_id, kind, event_id)
     ON r.user_id = a.user_id AND r.kind = a.kind AND r.event_id = a.event_id`,
);
const AFTER = statement(
  'import_export.participations_after',
  `SELECT ${COLUMNS} FROM participations a
   WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
);
// Locks in the same order as joining and leaving users do: the event first.
const LOCK = statement(
  'import_export.lock_events',
  'SELECT 1 FROM events WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);
const WRITE = statement(
  'import_export.write_participations',
  `WITH made AS (
     INSERT INTO participations (id, event_id, user_id, kind, joined_at, participate_on)
     SELECT CASE WHEN r.id IS NULL OR EXISTS (SELECT 1 FROM participations a WHERE a.id = r.id)
         THEN nextval('participations_id_seq') ELSE r.id END,
       r.event_id, r.user_id, r.kind, coalesce(r.date, date_trunc('second', now())),
       r.participate_date
     FROM json_to_recordset($1::json) AS r(id bigint, event_id bigint, user_id bigint, kind text,
       date timestamptz, participate_date date)
     ORDER BY r.event_id, r.kind, r.user_id
     ON CONFLICT (user_id, kind, event_id) DO UPDATE SET joined_at = EXCLUDED.joined_at,
       participate_on = EXCLUDED.participate_on
     RETURNING event_id, kind, xmax = 0 AS fresh),
   fresh AS (
     SELECT event_id, count(*) FILTER (WHERE kind = 'participate')::int AS participants,
       count(*) FILTER (WHERE kind = 'wish')::int AS wishers
     FROM made WHERE fresh GROUP BY event_id)
   UPDATE events e SET participants = e.participants + f.participants,
     wishers = e.wishers + f.wishers
   FROM fresh f WHERE e.id = f.event_id`,
);

/**
 * Imports and exports participations and interests, and updates the counters of their events in the
 * same transaction.
 */
export class ParticipationHandler extends StoredHandler<ParticipationRecord> {
  readonly name = 'participation';
  readonly member = 'participations';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly omissible = ['date'] as const;
  protected override readonly unchanging = ['id'] as const;

  parse(value: unknown): ParticipationRecord {
    const reader = new RecordReader(value);
    const kind = reader.requiredText('kind');
    if (kind !== 'participate' && kind !== 'wish') {
      throw new RecordError('kind must be participate or wish');
    }
    const day = reader.text('participate_date');
    if (day !== '' && !isDay(day)) {
      throw new RecordError('participate_date must be a day like 2013-12-25');
    }
    return {
      id: reader.id('id'),
      event_id: reader.requiredId('event_id'),
      user_id: reader.requiredId('user_id'),
      kind,
      date: reader.time('date'),
      participate_date: day || null,
    };
  }

  override key({ event_id, user_id, kind }: ParticipationRecord): string {
    return `${event_id} ${kind} ${user_id}`;
  }

  protected override loadValues(records: readonly ParticipationRecord[]): readonly unknown[] {
    return [
      records.map(({ user_id }) => user_id),
      records.map(({ kind }) => kind),
      records.map(({ event_id }) => event_id),
    ];
  }

  referencedContent({ event_id }: ParticipationRecord): readonly ContentReference[] {
    return [{ kind: 'event', id: event_id }];
  }

  async write(executor: SqlExecutor, records: readonly ParticipationRecord[]): Promise<void> {
    await ensureUsersOf(executor, records);
    await executor.query(LOCK, [records.map(({ event_id }) => event_id)]);
    await reserveIds(
      executor,
      'participations',
      records.map(({ id }) => id),
    );
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson(record: ParticipationRecord): Record<string, unknown> {
    const { id, event_id, user_id, kind, date, participate_date } = record;
    return {
      id,
      event_id: String(event_id),
      user_id: String(user_id),
      kind,
      date,
      participate_date: participate_date ?? '',
    };
  }
}
