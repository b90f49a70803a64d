import { firstOf, lengthOf, withoutEllipsis } from '../../api/input/text-input';
import { statement, type SqlExecutor } from '../../database/database';
import { PartialHandler, type PartialRecord, type TableShape } from '../engine/partial.handler';
import { type Envelope } from '../engine/record-handler';
import { RecordError, RecordReader } from '../engine/record';
import { ensureUsersOf, ownerOf, readAuthor, type Authored } from '../users/authors';
import { type NamedUser } from '../engine/named-users';
import { inputReference } from './subject-reference';
import { type UserRecord } from '../users/user.handler';
import {
  parentOf,
  toPart,
  type MovieHandlers,
  type NestedHandler,
  type Owner,
} from './movie-handlers';
import { lockMovieRows } from './movie-locks';
import { ensurePlaceholders } from './placeholders';
import { LOCK_SUBJECTS } from './subject-search';
import { parsePlaceholderSubject } from './subject.record';

/** Common fields of reviews and comments. */
export interface OpinionFields {
  readonly subject_id: number;
  readonly user_id: number;
  readonly rating: number | null;
  readonly useful_count: number;
  readonly created_at: string | null;
  readonly author?: UserRecord | undefined;
}

/** Columns of the common fields. */
export const OPINION_COLUMNS = {
  subject_id: 'bigint?',
  user_id: 'bigint?',
  rating: 'smallint?',
  useful_count: 'integer',
  created_at: 'timestamptz?',
} as const;

/** Locks subjects and recomputes their counts of reviews and comments. */
export async function recountOpinions(
  executor: SqlExecutor,
  subjects: readonly number[],
): Promise<void> {
  await executor.query(LOCK_SUBJECTS, [subjects]);
  for (const counts of Object.values(COUNTS)) await executor.query(counts, [subjects]);
}

const count = (column: string, table: string) =>
  statement(
    `import_export.count_${table}`,
    `UPDATE subjects s SET ${column} = n.n
     FROM (SELECT i.id, count(o.id)::int AS n
       FROM unnest($1::bigint[]) AS i(id) LEFT JOIN ${table} o ON o.subject_id = i.id
       GROUP BY i.id) n
     WHERE s.id = n.id AND s.${column} <> n.n`,
  );
const COUNTS = {
  movie_reviews: count('reviews_count', 'movie_reviews'),
  movie_comments: count('comments_count', 'movie_comments'),
};

/** Truncates a text to `length` characters, with an ellipsis, which replaces one of the text (D43). */
export function cutTo(length: number, text: string): string {
  if (lengthOf(text) <= length) return text;
  const head = firstOf(text, length - 1);
  return `${withoutEllipsis(head, text.slice(head.length))}…`;
}

/** A rating of 1 to 5 in JSON; absent for none. */
export const wireRating = (value: number | null): Record<string, unknown> =>
  value === null ? {} : { rating: { max: 5, value, min: 0 } };

/** Base class for handlers of reviews of movies and of comments on them. */
export abstract class OpinionHandler<F extends OpinionFields>
  extends PartialHandler<F>
  implements NestedHandler
{
  readonly needsEnvelope = true;
  protected override readonly mergedReference = inputReference<F>();

  constructor(
    private readonly family: MovieHandlers,
    private readonly opinions: TableShape<F> & { readonly table: keyof typeof COUNTS },
  ) {
    super(opinions);
  }

  abstract parseInside(value: unknown, owner: Owner, at: number): PartialRecord<F>;

  /** Reads the fields of the kind. */
  protected abstract readOwnFields(reader: RecordReader): Record<string, unknown>;

  parse(value: unknown, envelope?: Envelope): PartialRecord<F> {
    return this.read(new RecordReader(value), envelope);
  }

  /** @param owner the subject that contains the record */
  protected read(reader: RecordReader, envelope?: Envelope, owner?: Owner): PartialRecord<F> {
    const { family } = this;
    const toSubject = (subject: unknown) => parsePlaceholderSubject(family, subject, 'subject');
    const parent = reader.has('subject')
      ? toSubject(reader.raw('subject'))
      : parentOf(envelope, 'subject', toSubject);
    const subjectId = owner?.subject_id ?? reader.id('subject_id') ?? parent?.id;
    const input: Record<string, unknown> = readAuthor(reader);
    if (subjectId !== undefined) input.subject_id = subjectId;
    if (reader.has('rating')) input.rating = reader.stars();
    if (reader.has('useful_count')) input.useful_count = reader.count('useful_count');
    const created = reader.time('created_at');
    if (created !== undefined) input.created_at = created;
    return {
      id: reader.requiredId('id'),
      placeholder: this.opinions.placeholders && reader.raw('placeholder') === true,
      input: { ...input, ...this.readOwnFields(reader) } as Partial<F>,
      dependencies: parent && parent.id === subjectId ? toPart(family.movie, [parent]) : [],
    };
  }

  /** @throws RecordError when there is no subject or no author */
  protected override complete(input: Partial<F>, existing: F | undefined, placeholder: boolean): F {
    const all = super.complete(input, existing, placeholder);
    const owners: { subject_id: number | null; user_id: number | null } = all;
    if (owners.subject_id === null) throw new RecordError('subject_id is missing');
    if (owners.user_id === null) throw new RecordError('author is missing');
    return all;
  }

  ownerOf({ input }: PartialRecord<F>): NamedUser | undefined {
    const { user_id = null, author }: Partial<Authored> = input;
    return ownerOf({ user_id, author });
  }

  lockRows(executor: SqlExecutor, records: readonly PartialRecord<F>[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  lane({ id, input }: PartialRecord<F>): string {
    return String(input.subject_id ?? id);
  }

  /** Also recomputes the counts of the subjects. */
  override async write(executor: SqlExecutor, records: readonly PartialRecord<F>[]): Promise<void> {
    const all = records.map(({ fields }) => fields as F);
    const subjects = all.map(({ subject_id }) => subject_id);
    await ensureUsersOf(executor, all);
    await ensurePlaceholders(executor, subjects);
    await super.write(executor, records);
    const before = records.flatMap(({ existing }) => existing?.subject_id ?? []);
    const counted = [...new Set([...subjects, ...before])];
    await executor.query(LOCK_SUBJECTS, [counted]);
    await executor.query(COUNTS[this.opinions.table], [counted]);
  }
}
