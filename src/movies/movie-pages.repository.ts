import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { hasPart } from '../database/filtered-list';
import { IdScan, idScan } from '../database/id-scan';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';
import { latestSnapshot } from './charts.repository';
import {
  type CelebrityRow,
  type PhotoRow,
  type ReviewRow,
  type SimpleCelebrityRow,
  type SimpleSubjectRow,
} from './movies.rows';
import {
  celebrityShown,
  simpleCelebrityColumns,
  simpleSubjectColumns,
  subjectJson,
  subjectShown,
} from './movies.sql';

const REVIEW = statement(
  'movie_pages.review',
  `SELECT r.id, r.title, r.subject_id, r.summary, r.rating, r.useful_count, r.useless_count,
     r.comments_count, ${wireTime('r.created_at')} AS created_at,
     ${wireTime('r.updated_at')} AS updated_at, ${userJson('u')} AS author,
     ${subjectJson('full')} AS subject
   FROM movie_reviews r JOIN subjects s ON s.id = r.subject_id AND ${subjectShown()}
   LEFT JOIN users u ON u.id = r.user_id WHERE r.id = $1`,
);

const PHOTO = statement(
  'movie_pages.photo',
  `SELECT p.id, p.subject_id, p.celebrity_id, p.icon, p.image, p.thumb, p.cover,
     ${wireTime('p.created_at')} AS created_at, p.description,
     CASE WHEN u.id IS NULL THEN NULL ELSE ${userJson('u')} END AS author,
     coalesce(p.album_id, p.subject_id, p.celebrity_id) AS album_id,
     CASE WHEN p.album_id IS NULL THEN coalesce(s.title, c.name) ELSE p.album_title END AS album_title,
     coalesce(p.next_base, p.next_id::text) AS next_photo,
     coalesce(p.prev_base, p.prev_id::text) AS prev_photo,
     coalesce(p.position_base, p.position) AS position, p.comments_count,
     coalesce(p.photos_count_base, p.photos_count) AS photos_count,
     coalesce(s.title, c.name) AS owner
   FROM photos p LEFT JOIN subjects s ON s.id = p.subject_id AND ${subjectShown()}
   LEFT JOIN celebrities c ON c.id = p.celebrity_id AND ${celebrityShown()}
   LEFT JOIN users u ON u.id = p.user_id
   WHERE p.id = $1 AND (s.id IS NOT NULL OR c.id IS NOT NULL)`,
);

const SHOWINGS = statement(
  'movie_pages.showings',
  `SELECT t.uid, t.name AS city, w.from_date::text AS "from", w.until_date::text AS until
   FROM showings w JOIN cities t ON t.id = w.city_id AND t.deleted_at IS NULL
   WHERE w.subject_id = $1 AND (w.until_date IS NULL OR w.until_date >= current_date)
   ORDER BY w.from_date, t.id LIMIT 100`,
);

/** Snapshots `h` of chart $1 that are not in the future: of a city, or of no city. */
const snapshotsOf = (city: string | undefined): string =>
  `chart_snapshots h WHERE h.name = $1 AND h.date <= current_date
     AND h.city_id ${city === undefined ? 'IS NULL' : `= ${city}`}`;

const ENTRIES = `chart_entries e JOIN subjects s ON s.id = e.subject_id AND ${subjectShown()}`;

// In the order of the unique index on name, city and day. Ordered by day alone, PostgreSQL would read
// the snapshots of all charts.
const snapshotDates = (name: string, city?: string) =>
  statement(
    name,
    `SELECT h.date::text AS date FROM ${snapshotsOf(city)}
       AND EXISTS (SELECT 1 FROM ${ENTRIES} WHERE e.snapshot_id = h.id)
     ORDER BY h.city_id DESC, h.date DESC LIMIT $2`,
  );
const SNAPSHOT_DATES = snapshotDates('movie_pages.snapshot_dates');
const SNAPSHOT_DATES_OF_CITY = snapshotDates('movie_pages.snapshot_dates_of_city', '$3');

const snapshot = (name: string, city?: string) =>
  statement(
    name,
    `SELECT e.rank, e.box::float8 AS box, e.new, e.delta, ${subjectJson('full')} AS subject
     FROM ${ENTRIES}
     WHERE e.snapshot_id = (SELECT h.id FROM ${snapshotsOf(city)} AND h.date = $2::date)
     ORDER BY e.rank LIMIT 250`,
  );
const SNAPSHOT = snapshot('movie_pages.snapshot');
const SNAPSHOT_OF_CITY = snapshot('movie_pages.snapshot_of_city', '$3');

/** At most 250 entries of one snapshot, by its primary key. */
const RANK = statement(
  'movie_pages.rank',
  `SELECT e.rank FROM chart_entries e
   WHERE e.subject_id = $1 AND e.snapshot_id = (SELECT id FROM (${latestSnapshot('top250')}) latest)
   ORDER BY e.rank LIMIT 1`,
);

const CELEBRITIES_BY_NAME = statement(
  'movie_pages.celebrities_by_name',
  paginated({
    hits: `SELECT c.id, length(c.name) AS length FROM celebrities c
      WHERE ${celebrityShown()} AND ${hasPart('c.name', '$3')}`,
    key: 'id',
    order: ['length', 'id'],
    columns: `${simpleCelebrityColumns()}, c.name_en`,
    joins: 'LEFT JOIN celebrities c ON c.id = p.id',
    limit: ['$1', '$2'],
  }),
);

const NEWEST = statement(
  'movie_pages.newest',
  `SELECT ${simpleSubjectColumns('full')} FROM subjects s WHERE ${subjectShown()}
   ORDER BY s.id DESC LIMIT $1`,
);

const deleted = (name: string, table: string, title: string) =>
  statement(
    name,
    `SELECT 1 FROM ${table} WHERE id = $1 AND deleted_at IS NOT NULL AND ${title} <> ''`,
  );
const DELETED_SUBJECT = deleted('movie_pages.deleted_subject', 'subjects', 'title');
const DELETED_CELEBRITY = deleted('movie_pages.deleted_celebrity', 'celebrities', 'name');

const SUBJECT_SITE_MAP = idScan('movie_pages.subject_site_map', 'subjects s', subjectShown());
const CELEBRITY_SITE_MAP = idScan(
  'movie_pages.celebrity_site_map',
  'celebrities c',
  celebrityShown(),
);

/** A review with its film. */
export type ReviewOfSubject = ReviewRow & { readonly subject: SimpleSubjectRow };

/** A photo with the name of the film or celebrity that it shows. */
export type PhotoOfOwner = PhotoRow & { readonly owner: string };

/** A run of a film in a city; days are `yyyy-MM-dd`, `until` is null when not known. */
export interface CityShowing {
  readonly uid: string;
  readonly city: string;
  readonly from: string;
  readonly until: string | null;
}

/** An entry of a chart on an earlier day; `box` and `delta` only in charts that have them. */
export interface SnapshotEntry {
  readonly rank: number;
  readonly box: number | null;
  readonly new: boolean | null;
  readonly delta: number | null;
  readonly subject: SimpleSubjectRow;
}

/** A celebrity in a search. */
export type FoundCelebrity = SimpleCelebrityRow & Pick<CelebrityRow, 'name_en'>;

/** Reads of films that only the pages need. */
@Injectable()
export class MoviePagesRepository {
  constructor(private readonly database: Database) {}

  async findReview(id: number): Promise<ReviewOfSubject | undefined> {
    return (await this.database.query<ReviewOfSubject>(REVIEW, [id]))[0];
  }

  async findPhoto(id: number): Promise<PhotoOfOwner | undefined> {
    return (await this.database.query<PhotoOfOwner>(PHOTO, [id]))[0];
  }

  /** Runs of a film that are not over, by first day; at most 100. */
  listShowings(subjectId: number): Promise<CityShowing[]> {
    return this.database.query<CityShowing>(SHOWINGS, [subjectId]);
  }

  /**
   * Days of the latest snapshots of a chart that have entries, newest first.
   * @param cityId required for `in_theaters`; undefined for other charts
   */
  async listSnapshotDates(name: string, count: number, cityId?: number): Promise<string[]> {
    const rows = await (cityId === undefined
      ? this.database.query<{ date: string }>(SNAPSHOT_DATES, [name, count])
      : this.database.query<{ date: string }>(SNAPSHOT_DATES_OF_CITY, [name, count, cityId]));
    return rows.map(({ date }) => date);
  }

  /**
   * Entries of the snapshot of a chart on a day, `yyyy-MM-dd`; at most 250.
   * @param cityId required for `in_theaters`; undefined for other charts
   */
  listSnapshot(name: string, date: string, cityId?: number): Promise<SnapshotEntry[]> {
    return cityId === undefined
      ? this.database.query<SnapshotEntry>(SNAPSHOT, [name, date])
      : this.database.query<SnapshotEntry>(SNAPSHOT_OF_CITY, [name, date, cityId]);
  }

  /** Rank of a film in the latest chart of the best films; undefined if it is not on it. */
  async findRank(subjectId: number): Promise<number | undefined> {
    return (await this.database.query<{ rank: number }>(RANK, [subjectId]))[0]?.rank;
  }

  /** Celebrities with a part of the name, shortest names first. */
  async searchCelebrities(q: string, { start, count }: PageQuery): Promise<Page<FoundCelebrity>> {
    const values = [count, start, q];
    const rows = await this.database.query<FoundCelebrity & PageRow>(CELEBRITIES_BY_NAME, values);
    return toPage(rows, start);
  }

  /** The films and series with the highest ids. */
  listNewest(count: number): Promise<SimpleSubjectRow[]> {
    return this.database.query<SimpleSubjectRow>(NEWEST, [count]);
  }

  /** Whether an administrator deleted a film. */
  async isDeletedSubject(id: number): Promise<boolean> {
    return (await this.database.query(DELETED_SUBJECT, [id])).length > 0;
  }

  /** Whether an administrator deleted a celebrity. */
  async isDeletedCelebrity(id: number): Promise<boolean> {
    return (await this.database.query(DELETED_CELEBRITY, [id])).length > 0;
  }

  /** The ids of films, for site maps. */
  scanSubjects(): IdScan {
    return new IdScan(this.database, SUBJECT_SITE_MAP);
  }

  /** The ids of celebrities, for site maps. */
  scanCelebrities(): IdScan {
    return new IdScan(this.database, CELEBRITY_SITE_MAP);
  }
}
