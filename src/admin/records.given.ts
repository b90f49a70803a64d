import { NotPossible } from '../api/errors';
import { PEOPLE_LISTS } from '../transfer/movies/people';

/** A thing in the shape that imports and exports have. */
export type WireRecord = Record<string, unknown>;

/**
 * Members that are records of their own, or say something of other records, by kind: an import takes
 * them, an administrator writes them where they belong, as the log has each change with its record.
 */
const APART: Readonly<Record<string, readonly string[]>> = {
  movie: ['photos', 'popular_reviews', 'popular_comments', 'trailers', 'clips', 'bloopers'],
  celebrity: ['works', 'photos'],
  event: ['owner', 'loc_name'],
  photo: ['author', 'alt'],
};

/** What the service says of a record, and takes from nobody. */
const SAID = ['stub', 'removed'];

/** What an administrator says of a record, without what is not the record's. */
export function ownMembers(kind: string, given: WireRecord): WireRecord {
  const apart = new Set([...(APART[kind] ?? []), ...SAID]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !apart.has(name)));
}

/** A stored record with what is given of it, without lists of people that stay as they are. */
export function together(kind: string, stored: WireRecord, given: WireRecord): WireRecord {
  const all = { ...ownMembers(kind, stored), ...given };
  if (kind === 'movie') for (const list of PEOPLE_LISTS) all[list] = given[list];
  return all;
}

/**
 * The id that a thing is to have.
 *
 * @throws NotPossible for one that cannot be
 */
export function givenId({ id }: WireRecord): number | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new NotPossible('id must be a positive integer below 2^53');
}
