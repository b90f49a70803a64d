import { statement, type SqlExecutor } from '../../database/database';
import { FIRST_GENRE } from '../../movies/subject-tag.entity';
import { fold } from '../../text/fold';
import { type RecordEditHooks, type WireRecord } from '../engine/record-edit-hooks';
import { SoftDeletion } from '../engine/row-deletion';
import { withoutMerged } from '../engine/merged-references';
import { bySearchTexts, byTitle, recordLists } from '../engine/record-lists';
import { PartialHandler, type TableShape } from '../engine/partial.handler';
import { toSortOrder, requireText } from '../engine/record';
import { type CreditRow } from './credit.handler';
import { creditKey, type CreditRecord } from './credit.record';
import { LISTED } from './credit.statements';
import { lockMovieRows } from './movie-locks';
import { type MovieHandlers } from './movie-handlers';
import {
  deleteCreditsNotIn,
  PEOPLE_LISTS,
  findCreditLists,
  parseCreditLists,
} from './subject-credit-lists';
import { SUBJECT_MERGING } from './subject.merging';
import { SORT_SUBJECT_TERMS, writeSubjectSearch } from './subject-search';
import {
  completeSubject,
  parseSubject,
  wireSubject,
  type SubjectFields,
  type SubjectRecord,
} from './subject.record';

const SUBJECTS: TableShape<SubjectFields> = {
  table: 'subjects',
  columns: {
    title: 'text',
    original_title: 'text',
    aka: 'text[]',
    rating_average: 'numeric',
    stars: 'smallint',
    ratings_count: 'integer',
    wish_count: 'integer',
    collect_count: 'integer',
    do_count: 'integer?',
    image_small: 'text',
    image_medium: 'text',
    image_large: 'text',
    subtype: 'text',
    website: 'text',
    service_site: 'text',
    pubdates: 'text[]',
    mainland_pubdate: 'text',
    year: 'text',
    languages: 'text[]',
    durations: 'text[]',
    genres: 'text[]',
    countries: 'text[]',
    summary: 'text',
    comments_count_base: 'integer',
    reviews_count_base: 'integer',
    seasons_count: 'integer?',
    current_season: 'integer?',
    episodes_count: 'integer?',
    has_schedule: 'boolean',
    trailer_urls: 'text[]',
    clip_urls: 'text[]',
    blooper_urls: 'text[]',
  },
  placeholders: true,
  more: {
    tags: `coalesce((SELECT json_agg(g.name ORDER BY g.position, g.name) FROM subject_tags g
      WHERE g.subject_id = t.id AND g.position < ${FIRST_GENRE}), '[]'::json)`,
  },
  touched: { updated_at: "date_trunc('second', now())" },
  isSoftDeletable: true,
  exported: "t.title <> ''",
};

const REMOVE_TAGS = statement(
  'import_export.remove_subject_tags',
  'DELETE FROM subject_tags WHERE subject_id = ANY($1::bigint[])',
);
const WRITE_TAGS = statement(
  'import_export.write_subject_tags',
  `INSERT INTO subject_tags (subject_id, name, folded, position)
   SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[])
   ON CONFLICT DO NOTHING`,
);

/** Members with the reviews and comments of a new movie. */
const OPINIONS = ['popular_reviews', 'popular_comments'] as const;

/** A review or comment with only the id of its author; users and movies have their own routes. */
function opinionOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { author, author_id, subject: _subject, ...rest } = value as WireRecord;
  return { ...rest, author_id: author_id ?? (author as WireRecord | null | undefined)?.id };
}

/** The reviews and comments in a request for a new movie. */
function readOpinions(input: WireRecord): WireRecord {
  const lists = OPINIONS.filter((member) => member in input).map((member) => {
    const list = input[member];
    return [member, Array.isArray(list) ? list.map(opinionOf) : list];
  });
  return Object.fromEntries(lists) as WireRecord;
}

/** Imports and exports movies and series. */
export class MovieHandler extends PartialHandler<SubjectFields> {
  readonly name = 'movie';
  readonly member = 'subjects';
  readonly nestedLists = ['photos', 'reviews', 'comments'] as const;
  readonly editing: RecordEditHooks = {
    table: 'subjects',
    lists: recordLists('subjects', {
      title: 'title',
      states: byTitle('title'),
      search: bySearchTexts('subjects', 'subject', 'o.deleted_at IS NOT NULL'),
    }),
    merging: SUBJECT_MERGING,
    deletion: new SoftDeletion('subjects', [
      'DELETE FROM subject_search WHERE subject_id = ANY($1::bigint[])',
    ]),
    nestedFields: [...OPINIONS, 'photos', 'trailers', 'clips', 'bloopers'],
    references: {
      directors: 'celebrities',
      casts: 'celebrities',
      writers: 'celebrities',
      popular_reviews: 'users',
      popular_comments: 'users',
    },
    nestedOnCreate: readOpinions,
    parseMembers: parseCreditLists,
    // Omitted lists of people stay unchanged.
    clearedFields: () => PEOPLE_LISTS,
    beforeWrite: (executor, { id, input }) =>
      deleteCreditsNotIn(executor, id, parseCreditLists(input)),
    readMore: findCreditLists,
  };

  constructor(private readonly family: MovieHandlers) {
    super(SUBJECTS);
  }

  parse(value: unknown): SubjectRecord {
    return parseSubject(this.family, value);
  }

  lockRows(executor: SqlExecutor, records: readonly SubjectRecord[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  protected override complete(
    input: Partial<SubjectFields>,
    existing: SubjectFields | undefined,
    placeholder: boolean,
  ): SubjectFields {
    const all = completeSubject(input, existing, this.blank);
    if (!placeholder) requireText(all.title, 'title');
    return all;
  }

  protected wireFields(fields: SubjectFields): Record<string, unknown> {
    return wireSubject(fields);
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly SubjectRecord[],
  ): Promise<SubjectRecord[]> {
    const others = await withoutMerged(executor, this.name, records);
    const all = await super.resolveIds(executor, others);
    const listing = all.filter(({ children }) =>
      children?.some(({ kind }) => kind === this.family.credit),
    );
    if (listing.length === 0) return all;
    const rows = await executor.query<CreditRow>(LISTED, [listing.map(({ id }) => id)]);
    return all.map((record) => this.withPeople(record, rows));
  }

  /**
   * The record's people come first in the lists of a subject; stored people that it omits follow.
   */
  private withPeople(record: SubjectRecord, rows: readonly CreditRow[]): SubjectRecord {
    const parts = record.children?.filter(({ kind }) => kind === this.family.credit) ?? [];
    if (parts.length === 0) return record;
    const input = parts.flatMap(({ records }) => records as CreditRecord[]);
    const lists = new Map<string, Map<string, CreditRecord>>();
    const ends = new Map<string, number>();
    const add = (role: string, credit: CreditRecord, at: number): void => {
      const list = lists.get(role) ?? new Map<string, CreditRecord>();
      lists.set(role, list);
      const key = creditKey(credit);
      if (list.has(key)) return;
      const position = Math.max(at, ends.get(role) ?? 0);
      ends.set(role, position + 1);
      list.set(key, { ...credit, roles: [{ role, position: toSortOrder(position) }] });
    };
    for (const credit of input) for (const { role } of credit.roles) add(role, credit, 0);
    for (const row of rows) {
      if (row.subject_id !== record.id || !lists.has(row.role)) continue;
      const { subject_id, celebrity_id, name, role, position } = row;
      add(role, { subject_id, celebrity_id, name, roles: [] }, position);
    }
    const credits = [...lists.values()].flatMap((list) => [...list.values()]);
    const others = record.children?.filter(({ kind }) => kind !== this.family.credit) ?? [];
    return { ...record, children: [{ kind: this.family.credit, records: credits }, ...others] };
  }

  override async write(executor: SqlExecutor, records: readonly SubjectRecord[]): Promise<void> {
    await super.write(executor, records);
    await this.writeTags(executor, records);
    await writeSubjectSearch(
      executor,
      records.map(({ id }) => id),
    );
  }

  private async writeTags(executor: SqlExecutor, records: readonly SubjectRecord[]): Promise<void> {
    const changed = records.filter(({ fields, existing }) => tagsOf(fields) !== tagsOf(existing));
    if (changed.length === 0) return;
    const existing = changed.filter((record) => record.existing);
    if (existing.length > 0) await executor.query(REMOVE_TAGS, [existing.map(({ id }) => id)]);
    const columns: [number[], string[], string[], number[]] = [[], [], [], []];
    for (const { id, fields } of changed) {
      const { tags, genres } = fields as SubjectFields;
      const genre = genres.filter((name) => !tags.includes(name) && name.trim() !== '');
      [...tags, ...new Set(genre)].forEach((name, at) => {
        columns[0].push(id);
        columns[1].push(name);
        columns[2].push(fold(name));
        columns[3].push(at < tags.length ? at : FIRST_GENRE + at - tags.length);
      });
    }
    if (columns[0].length > 0) await executor.query(WRITE_TAGS, columns);
  }

  async flush(executor: SqlExecutor): Promise<void> {
    await executor.query(SORT_SUBJECT_TERMS);
  }
}

const tagsOf = (subject: SubjectFields | undefined): string =>
  JSON.stringify([subject?.tags ?? [], subject?.genres ?? []]);
