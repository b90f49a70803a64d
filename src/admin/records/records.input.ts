import { OperationError } from '../../api/errors/errors';
import { PEOPLE_LISTS } from '../../import-export/movies/people';

/** A record in the shape of imports and exports. */
export type WireRecord = Record<string, unknown>;

/**
 * Members with nested records, by kind. Imports accept them. Administrators edit the nested records
 * themselves, so that the audit log has each change with its record.
 */
const NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  movie: ['photos', 'popular_reviews', 'popular_comments', 'trailers', 'clips', 'bloopers'],
  celebrity: ['works', 'photos'],
  event: ['owner', 'loc_name'],
  photo: ['author', 'alt'],
};

/** Members that are read-only. */
const READ_ONLY_FIELDS = ['stub', 'removed'];

/** Members that a new movie may contain, because no other route writes them. */
const OPINIONS = ['popular_reviews', 'popular_comments'];

/** A review or comment with only the id of its author; users and movies have their own routes. */
function opinionOf(one: unknown): unknown {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
  const { author, author_id, subject: _subject, ...rest } = one as WireRecord;
  return { ...rest, author_id: author_id ?? (author as WireRecord | null | undefined)?.id };
}

/** The reviews and comments of a new movie. */
export function opinionsOf(kind: string, given: WireRecord): WireRecord {
  if (kind !== 'movie') return {};
  const lists = Object.entries(given).filter(([name]) => OPINIONS.includes(name));
  return Object.fromEntries(
    lists.map(([name, list]) => [name, Array.isArray(list) ? list.map(opinionOf) : list]),
  );
}

/** The members of a record that an administrator may write. */
export function ownMembers(kind: string, given: WireRecord): WireRecord {
  const apart = new Set([...(NESTED_FIELDS[kind] ?? []), ...READ_ONLY_FIELDS]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !apart.has(name)));
}

/** Whether a member has a value: an empty one counts as absent. */
export const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** Photo fields that depend on the album. */
const BY_ALBUM = ['album_id', 'album_title', 'place', 'position', 'prev_photo', 'next_photo'];

/** Stored members to clear: a photo that moves leaves its owner and its album. */
function clearedFields(kind: string, stored: WireRecord, given: WireRecord): readonly string[] {
  // Omitted lists of people stay unchanged.
  if (kind === 'movie') return PEOPLE_LISTS;
  if (kind !== 'photo') return [];
  const [subject, celebrity] = [isPresent(given.subject_id), isPresent(given.celebrity_id)];
  if (subject && celebrity)
    throw new OperationError('a photo must have either a subject_id or a celebrity_id');
  if (!subject && !celebrity) return [];
  const [owner, other] = subject ? ['subject_id', 'celebrity_id'] : ['celebrity_id', 'subject_id'];
  const stays = Number(stored[owner]) === Number(given[owner]);
  return stays ? [] : [owner, other, 'photos_count', ...BY_ALBUM];
}

/**
 * Merges the given members into a stored record.
 * @throws OperationError for a photo of both a subject and a celebrity
 */
export function mergeRecord(kind: string, stored: WireRecord, given: WireRecord): WireRecord {
  const gone = new Set(clearedFields(kind, stored, given));
  const kept = Object.entries(ownMembers(kind, stored)).filter(([name]) => !gone.has(name));
  const said = Object.entries(given).filter(([name, value]) => !gone.has(name) || isPresent(value));
  return Object.fromEntries([...kept, ...said]);
}

/** Whether a photo moves to another subject or celebrity. */
export const isMoved = (kind: string, stored: WireRecord, given: WireRecord): boolean =>
  kind === 'photo' && isPresent(stored.id) && clearedFields(kind, stored, given).length > 0;

/**
 * The requested id of a new record.
 * @throws OperationError for an invalid one
 */
export function parseId({ id }: WireRecord): number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new OperationError('id must be a positive integer below 2^53');
}
