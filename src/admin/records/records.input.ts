import { OperationError } from '../../api/errors/errors';
import { PEOPLE_LISTS } from '../../import-export/movies/people';

/** A thing in the shape that imports and exports have. */
export type WireRecord = Record<string, unknown>;

/**
 * Members that are records of their own, or say something of other records, by kind: an import takes
 * them, an administrator writes them where they belong, as the log has each change with its record.
 */
const NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  movie: ['photos', 'popular_reviews', 'popular_comments', 'trailers', 'clips', 'bloopers'],
  celebrity: ['works', 'photos'],
  event: ['owner', 'loc_name'],
  photo: ['author', 'alt'],
};

/** What the service says of a record, and takes from nobody. */
const READ_ONLY_FIELDS = ['stub', 'removed'];

/** What a new film may bring along, as nothing else here writes it. */
const OPINIONS = ['popular_reviews', 'popular_comments'];

/** An opinion with the id of its author alone: users and films are written elsewhere. */
function opinionOf(one: unknown): unknown {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
  const { author, author_id, subject: _subject, ...rest } = one as WireRecord;
  return { ...rest, author_id: author_id ?? (author as WireRecord | null | undefined)?.id };
}

/** The opinions that come with a film that is made. */
export function opinionsOf(kind: string, given: WireRecord): WireRecord {
  if (kind !== 'movie') return {};
  const lists = Object.entries(given).filter(([name]) => OPINIONS.includes(name));
  return Object.fromEntries(
    lists.map(([name, list]) => [name, Array.isArray(list) ? list.map(opinionOf) : list]),
  );
}

/** What an administrator says of a record, without what is not the record's. */
export function ownMembers(kind: string, given: WireRecord): WireRecord {
  const apart = new Set([...(NESTED_FIELDS[kind] ?? []), ...READ_ONLY_FIELDS]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !apart.has(name)));
}

/** Whether a member says something: empty ones are as good as absent. */
export const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** What a photo has by the album that it is in. */
const BY_ALBUM = ['album_id', 'album_title', 'place', 'position', 'prev_photo', 'next_photo'];

/** Members that are stored and go: a photo that is of another now leaves its owner and album. */
function clearedFields(kind: string, stored: WireRecord, given: WireRecord): readonly string[] {
  // Lists of people that are not given stay as they are.
  if (kind === 'movie') return PEOPLE_LISTS;
  if (kind !== 'photo') return [];
  const [subject, celebrity] = [isPresent(given.subject_id), isPresent(given.celebrity_id)];
  if (subject && celebrity) throw new OperationError('a photo has a subject_id or a celebrity_id');
  if (!subject && !celebrity) return [];
  const [owner, other] = subject ? ['subject_id', 'celebrity_id'] : ['celebrity_id', 'subject_id'];
  const stays = Number(stored[owner]) === Number(given[owner]);
  return stays ? [] : [owner, other, 'photos_count', ...BY_ALBUM];
}

/**
 * A stored record with what is given of it.
 *
 * @throws NotPossible for a photo of both a subject and a celebrity
 */
export function mergeRecord(kind: string, stored: WireRecord, given: WireRecord): WireRecord {
  const gone = new Set(clearedFields(kind, stored, given));
  const kept = Object.entries(ownMembers(kind, stored)).filter(([name]) => !gone.has(name));
  const said = Object.entries(given).filter(([name, value]) => !gone.has(name) || isPresent(value));
  return Object.fromEntries([...kept, ...said]);
}

/** Whether a photo is of another subject or celebrity than it was. */
export const isMoved = (kind: string, stored: WireRecord, given: WireRecord): boolean =>
  kind === 'photo' && isPresent(stored.id) && clearedFields(kind, stored, given).length > 0;

/**
 * The id that a thing is to have.
 *
 * @throws NotPossible for one that cannot be
 */
export function parseId({ id }: WireRecord): number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new OperationError('id must be a positive integer below 2^53');
}
