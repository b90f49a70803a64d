import { statement, type SqlExecutor } from '../../database/database';
import { byPart } from '../../database/filtered-list';
import { recordTime } from '../engine/record-time';
import { eventWire, parseEvent, type EventRecord } from './event.record';
import { RecordError } from '../engine/record';
import { type RecordEditHooks } from '../engine/record-edit-hooks';
import { SoftDeletion } from '../engine/row-deletion';
import { recordLists } from '../engine/record-lists';
import { StoredHandler } from '../engine/stored.handler';
import { ensurePlaceholderCities } from './loc.handler';
import { reserveIds } from '../engine/sequences';
import { type NamedUser } from '../engine/named-users';
import { unnamedUser, ensurePlaceholderUsers } from '../users/user.handler';

const COLUMNS = `e.id::float8 AS id, e.title, e.content, e.image, e.image_hlarge, e.image_lmobile,
  ${recordTime('e.begins_at')} AS begin_time, ${recordTime('e.ends_at')} AS end_time, e.address, e.geo,
  e.lat, e.lon, e.city_id::float8 AS city_id, e.album, e.category, e.private, e.can_invite,
  e.participant_base, e.wisher_base, e.owner_id::float8 AS owner_id,
  coalesce((SELECT json_agg(i.user_id ORDER BY i.user_id) FROM event_invitations i
    WHERE i.event_id = e.id), '[]'::json) AS invited`;
const LOAD = statement(
  'import_export.events',
  `SELECT ${COLUMNS} FROM events e WHERE e.id = ANY($1::bigint[]) AND ($2::boolean OR e.deleted_at IS NULL)`,
);
const AFTER = statement(
  'import_export.events_after',
  `SELECT ${COLUMNS} FROM events e WHERE e.id > $1 AND ($3::boolean OR e.deleted_at IS NULL) ORDER BY e.id LIMIT $2`,
);
const WRITE = statement(
  'import_export.write_events',
  `INSERT INTO events (id, title, content, image, image_hlarge, image_lmobile, begins_at, ends_at,
     address, geo, lat, lon, city_id, album, category, private, can_invite, owner_id,
     participant_base, wisher_base)
   SELECT r.id, r.title, r.content, r.image, r.image_hlarge, r.image_lmobile, r.begin_time,
     r.end_time, r.address, r.geo, r.lat, r.lon, r.city_id, r.album, r.category,
     coalesce(r.private, false), coalesce(r.can_invite, false), r.owner_id, r.participant_base,
     r.wisher_base
   FROM json_to_recordset($1::json) AS r(id bigint, title text, content text, image text,
     image_hlarge text, image_lmobile text, begin_time timestamptz, end_time timestamptz,
     address text, geo text, lat float8, lon float8, city_id bigint, album text, category text,
     private boolean, can_invite boolean, owner_id bigint, participant_base integer,
     wisher_base integer)
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title, content = EXCLUDED.content,
     image = EXCLUDED.image, image_hlarge = EXCLUDED.image_hlarge,
     image_lmobile = EXCLUDED.image_lmobile, begins_at = EXCLUDED.begins_at,
     ends_at = EXCLUDED.ends_at, address = EXCLUDED.address, geo = EXCLUDED.geo,
     lat = EXCLUDED.lat, lon = EXCLUDED.lon, city_id = EXCLUDED.city_id, album = EXCLUDED.album,
     category = EXCLUDED.category, private = EXCLUDED.private, can_invite = EXCLUDED.can_invite,
     owner_id = EXCLUDED.owner_id, participant_base = EXCLUDED.participant_base,
     wisher_base = EXCLUDED.wisher_base, deleted_at = NULL, updated_at = date_trunc('second', now())`,
);
const LOCK = statement(
  'import_export.lock_stored_events',
  'SELECT 1 FROM events WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);
const INVITED = `(SELECT r.id AS event_id, u.id AS user_id
  FROM json_to_recordset($1::json) AS r(id bigint, invited bigint[]), unnest(r.invited) AS u(id))`;
const UNINVITE = statement(
  'import_export.uninvite',
  `DELETE FROM event_invitations i WHERE i.event_id = ANY($2::bigint[])
   AND (i.event_id, i.user_id) NOT IN ${INVITED}`,
);
const INVITE = statement(
  'import_export.invite',
  `INSERT INTO event_invitations (event_id, user_id) ${INVITED.slice(1, -1)} ORDER BY 1, 2
   ON CONFLICT DO NOTHING`,
);

/** PostgreSQL moves a time that clocks skip forward, here beyond the end of the event. */
const SKIPPED_TIME =
  'begin_time does not exist: daylight saving time skips it in the time zone of the service ' +
  '(TIME_ZONE)';

/** Whether an event would end before it begins, although its times as text are in order. */
const violatesTimes = (error: unknown): boolean =>
  (error as { constraint?: unknown }).constraint === 'events_times';

/** Imports and exports events and their invitations. */
export class EventHandler extends StoredHandler<EventRecord> {
  readonly name = 'event';
  readonly member = 'events';
  protected readonly loadRows = LOAD;
  protected override readonly lockStored = LOCK;
  protected readonly rowsAfter = AFTER;
  protected override readonly softDeletes = true;
  protected override readonly omissible = ['private', 'can_invite', 'invited'] as const;
  readonly editing: RecordEditHooks = {
    table: 'events',
    lists: recordLists('events', {
      title: 'title',
      states: {
        visible: 'deleted_at IS NULL',
        deleted: 'deleted_at IS NOT NULL',
        placeholder: 'false',
      },
      search: byPart('h.title'),
    }),
    deletion: new SoftDeletion('events'),
    nestedFields: ['owner', 'loc_name'],
    references: { loc_id: 'cities', owner_id: 'users', invited: 'users' },
  };

  parse(value: unknown): EventRecord {
    return parseEvent(value);
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly EventRecord[],
  ): Promise<EventRecord[]> {
    const all = await super.resolveIds(executor, records);
    return all.map((record) => ({
      ...record,
      private: record.private ?? false,
      can_invite: record.can_invite ?? false,
      invited: record.invited ?? [],
    }));
  }

  ownerOf({ owner, owner_id }: EventRecord): NamedUser {
    return owner ?? unnamedUser(owner_id);
  }

  async write(executor: SqlExecutor, records: readonly EventRecord[]): Promise<void> {
    await ensurePlaceholderUsers(
      executor,
      records.flatMap(({ owner, owner_id, invited = [] }) => [
        owner ?? unnamedUser(owner_id),
        ...invited.map(unnamedUser),
      ]),
    );
    await ensurePlaceholderCities(
      executor,
      records.map(({ city_id, city_name = '' }) => ({ id: city_id, name: city_name })),
    );
    const ids = records.map(({ id }) => id);
    await reserveIds(executor, 'events', ids);
    const rows = JSON.stringify(records.map(({ owner: _owner, city_name: _name, ...row }) => row));
    await executor.query(WRITE, [rows]).catch((error: unknown) => {
      throw violatesTimes(error) ? new RecordError(SKIPPED_TIME) : error;
    });
    await executor.query(UNINVITE, [rows, ids]);
    await executor.query(INVITE, [rows]);
  }

  toJson(record: EventRecord): Record<string, unknown> {
    return eventWire(record);
  }
}
