import { OperationError } from '../../api/errors/errors';
import { type SqlExecutor } from '../../database/database';
import { missingIds, type NamedTable } from '../or-not-found';
import { type WireRecord } from './records.input';

/** Members that reference other records by id, for each kind. */
const REFERENCES: Readonly<Record<string, Readonly<Record<string, NamedTable>>>> = {
  event: { loc_id: 'cities', owner_id: 'users', invited: 'users' },
  photo: { subject_id: 'subjects', celebrity_id: 'celebrities', author_id: 'users' },
  movie: {
    directors: 'celebrities',
    casts: 'celebrities',
    writers: 'celebrities',
    popular_reviews: 'users',
    popular_comments: 'users',
  },
};

/** The id of an object, or of its author, or the value itself. */
const idOf = (value: unknown): string[] => {
  const named = (typeof value === 'object' && value !== null ? value : { id: value }) as WireRecord;
  const id = 'author_id' in named ? named.author_id : named.id;
  return /^\d{1,16}$/.test(String(id)) ? [String(Number(id))] : [];
};

/** The ids in a member: one id, a list of ids, or a list of objects with an id. */
const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(idOf) : idOf(value);

/**
 * Checks that records an administrator references exist, because a mistyped id would create a
 * placeholder.
 * @param stored existing references, which are always valid
 * @throws OperationError 1006 with the member and ids
 */
export async function checkReferences(
  executor: SqlExecutor,
  kind: string,
  given: WireRecord,
  stored: WireRecord,
): Promise<void> {
  const asked = new Map<NamedTable, { member: string; ids: string[] }[]>();
  for (const [member, table] of Object.entries(REFERENCES[kind] ?? {})) {
    const before = new Set(idsIn(stored[member]));
    const ids = idsIn(given[member]).filter((id) => !before.has(id));
    asked.set(table, [...(asked.get(table) ?? []), { member, ids }]);
  }
  for (const [table, members] of asked) {
    const all = members.flatMap(({ ids }) => ids);
    const unknown = new Set(await missingIds(executor, table, all));
    const wrong = members.find(({ ids }) => ids.some((id) => unknown.has(id)));
    if (!wrong) continue;
    const ids = [...new Set(wrong.ids.filter((id) => unknown.has(id)))].join(', ');
    throw new OperationError(`${wrong.member}: unknown ${table}: ${ids}`, 'targetNotFound');
  }
}
