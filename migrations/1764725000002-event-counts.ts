import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Counts the public events that end on each day, in each city and in all of them, so that lists of
 * events that are not over count no rows, and indexes by begin time, so that they read no more
 * events than those of the page. Takes about ten seconds with a million events.
 */
export class EventCounts1764725000002 implements MigrationInterface {
  name = 'EventCounts1764725000002';

  async up(db: QueryRunner): Promise<void> {
    await db.query(SCHEMA);
    await db.query(FILL);
    await db.query(TRIGGERS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER events_count_inserted ON events;
      DROP TRIGGER events_count_updated ON events;
      DROP TRIGGER events_count_deleted ON events;
      DROP FUNCTION count_inserted_events, count_updated_events, count_deleted_events;
      DROP FUNCTION change_event_counts;
      DROP TABLE event_counts;
      DROP INDEX events_by_begin, events_by_begin_in_city, events_private;`);
  }
}

// The number of events is the sum of the rows with the same values. City 0 means all cities. Events
// are counted by the day (UTC) of their end, and by periods of 64 days, so that the sum of all later
// days has few rows.
const SCHEMA = `
CREATE TABLE event_counts (
  city_id bigint NOT NULL,
  days smallint NOT NULL,
  period integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  type smallint NOT NULL,
  events integer NOT NULL,
  CONSTRAINT event_counts_pkey PRIMARY KEY (city_id, days, period, id)
);
CREATE INDEX events_by_begin ON events (begins_at, id)
  INCLUDE (ends_at, city_id, type, private, owner_id, deleted_at);
CREATE INDEX events_by_begin_in_city ON events (city_id, begins_at, id)
  INCLUDE (ends_at, type, private, owner_id, deleted_at);
CREATE INDEX events_private ON events (owner_id) WHERE private AND deleted_at IS NULL;
`;

const KEY = 'city_id, days, period, type';
const keyOf = (rows: string, sign: string): string =>
  `SELECT s.city_id, d.days, floor(extract(epoch FROM r.ends_at) / 86400 / d.days)::integer AS period,
     r.type, ${sign}1 AS events
   FROM ${rows} r CROSS JOIN LATERAL (VALUES (0::bigint), (r.city_id)) s(city_id)
   CROSS JOIN (VALUES (1::smallint), (64::smallint)) d(days)
   WHERE NOT r.private AND r.deleted_at IS NULL`;

const FILL = `
INSERT INTO event_counts (${KEY}, events)
SELECT ${KEY}, count(*) FROM (${keyOf('events', '')}) c GROUP BY ${KEY} ORDER BY ${KEY};
`;

const changes = (rows: string): string => `
  SELECT array_agg(ROW(city_id, days, period, NULL, type, events)::event_counts)
  FROM (SELECT ${KEY}, sum(events) AS events FROM (${rows}) c
    GROUP BY ${KEY} HAVING sum(events) <> 0) d`;

// As for collection_counts: writers do not wait for each other.
const TRIGGERS = `
CREATE FUNCTION change_event_counts(changes event_counts[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found event_counts[];
  emptied boolean;
BEGIN
  IF changes IS NULL THEN RETURN; END IF;
  SELECT array_agg(ROW(d.city_id, d.days, d.period, l.id, d.type, d.events)::event_counts) INTO found
  FROM unnest(changes) d LEFT JOIN LATERAL (
    SELECT c.id FROM event_counts c
    WHERE c.city_id = d.city_id AND c.days = d.days AND c.period = d.period AND c.type = d.type
    LIMIT 1 FOR UPDATE SKIP LOCKED) l ON true;
  WITH updated AS (
    UPDATE event_counts c SET events = c.events + d.events FROM unnest(found) d
    WHERE c.city_id = d.city_id AND c.days = d.days AND c.period = d.period AND c.id = d.id
    RETURNING c.events)
  SELECT bool_or(events = 0) INTO emptied FROM updated;
  INSERT INTO event_counts (${KEY}, events)
  SELECT ${KEY}, events FROM unnest(found) d WHERE d.id IS NULL;
  IF emptied THEN
    DELETE FROM event_counts c USING unnest(found) d
    WHERE c.city_id = d.city_id AND c.days = d.days AND c.period = d.period AND c.id = d.id
      AND c.events = 0;
  END IF;
END $$;
CREATE FUNCTION count_inserted_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_event_counts((${changes(keyOf('inserted', ''))}));
  RETURN NULL;
END $$;
CREATE TRIGGER events_count_inserted AFTER INSERT ON events REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_events();
CREATE FUNCTION count_updated_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_event_counts((${changes(`${keyOf('before', '-')} UNION ALL ${keyOf('after', '')}`)}));
  RETURN NULL;
END $$;
CREATE TRIGGER events_count_updated AFTER UPDATE ON events
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_events();
CREATE FUNCTION count_deleted_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_event_counts((${changes(keyOf('deleted', '-'))}));
  RETURN NULL;
END $$;
CREATE TRIGGER events_count_deleted AFTER DELETE ON events REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_events();
`;
