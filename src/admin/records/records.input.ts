import { OperationError } from '../../api/errors/error-codes';
import { type SqlExecutor } from '../../database/database';
import {
  findMissingIds,
  type RecordEditHooks,
  type ReferencedTable,
  type WireRecord,
} from '../../import-export/engine/record-edit-hooks';
import { shareRecords } from '../../import-export/engine/record-locks';
import { findSurvivors } from '../../merges/merged-records';
import { isPresent } from '../../import-export/engine/record';

/** Members that are read-only. */
const READ_ONLY_FIELDS = ['placeholder', 'deleted'];

/** The members of a record that an administrator may write. */
export function ownMembers({ nestedFields = [] }: RecordEditHooks, input: WireRecord): WireRecord {
  const others = new Set([...nestedFields, ...READ_ONLY_FIELDS]);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !others.has(name)));
}

/**
 * Merges the given members into a stored record.
 * @throws OperationError when members exclude each other
 */
export function mergeRecord(
  editing: RecordEditHooks,
  stored: WireRecord,
  input: WireRecord,
): WireRecord {
  const cleared = new Set(editing.clearedFields?.(stored, input));
  const before = Object.entries(ownMembers(editing, stored)).filter(([name]) => !cleared.has(name));
  const after = Object.entries(input).filter(
    ([name, value]) => !cleared.has(name) || isPresent(value),
  );
  return Object.fromEntries([...before, ...after]);
}

/**
 * The requested id of a new record.
 * @throws OperationError for an invalid one
 */
export function parseId({ id }: WireRecord): number | undefined {
  if (!isPresent(id)) return undefined;
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new OperationError('id must be a positive integer below 2^53');
}

/** Members that contain URLs, objects of URLs or lists of URLs. */
const URL_FIELDS = [
  ...['image', 'images', 'avatars', 'icon', 'thumb', 'cover', 'website', 'ebook_url'],
  ...['image-hlarge', 'image_hlarge', 'image-lmobile', 'image_lmobile', 'service_site'],
  ...['trailer_urls', 'clip_urls', 'blooper_urls'],
];

/** A path of this service. `//` and `/\` are excluded because they name another host. */
const OWN_PATH = /^\/(?![/\\])/;

function isUrl(text: string): boolean {
  if (text === '' || OWN_PATH.test(text)) return true;
  return /^https?:\/\/[^/\\?#\s]/i.test(text) && URL.canParse(text);
}

/**
 * Checks the URLs that an administrator adds, because clients open URLs unchanged: each must be a
 * web URL or a path of this service.
 * @param stored existing URLs, which are always valid
 * @throws OperationError naming the member
 */
export function checkUrls(input: WireRecord, stored: WireRecord): void {
  for (const [member, value] of Object.entries(input)) {
    if (!URL_FIELDS.includes(member) && !member.endsWith('_site')) continue;
    if (JSON.stringify(value) === JSON.stringify(stored[member])) continue;
    const all = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    const texts = all.filter((one) => typeof one === 'string' || typeof one === 'number');
    if (texts.every((one) => isUrl(String(one)))) continue;
    throw new OperationError(`${member} must be an http or https URL, or a path like /x`);
  }
}

/**
 * Checks the year of a film that an administrator changes. Imports keep any text, because catalogues
 * have years such as `2019-2020`.
 * @throws OperationError for other texts than four digits
 */
export function checkYear(input: WireRecord, stored: WireRecord): void {
  const { year } = input;
  if (!isPresent(year) || year === stored.year) return;
  const text = typeof year === 'number' ? String(year) : year;
  if (typeof text !== 'string' || !/^\d{4}$/.test(text))
    throw new OperationError('year must have four digits');
}

/** @throws OperationError 999 naming the first member whose stored value is not the expected one */
export function checkUnchanged(expected: WireRecord, stored: WireRecord): void {
  const changed = Object.keys(expected).find(
    (name) => JSON.stringify(expected[name] ?? null) !== JSON.stringify(stored[name] ?? null),
  );
  if (changed !== undefined) throw new OperationError(`${changed} was changed meanwhile`);
}

/** @throws OperationError 999 for the id of a record that was merged into another one (D149) */
export async function checkNotMerged(
  executor: SqlExecutor,
  { merging }: RecordEditHooks,
  id: number,
): Promise<void> {
  const survivor = merging && (await findSurvivors(executor, merging.kind, [id])).get(id);
  if (survivor === undefined) return;
  throw new OperationError(`record ${id} was merged into ${survivor}`);
}

/** @throws OperationError 1006 listing subjects that do not exist */
export async function checkSubjects(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
  // Until the end of the transaction, no subject is merged into another one.
  await shareRecords(executor, 'movie');
  const missing = await findMissingIds(executor, 'subjects', ids);
  if (missing.length === 0) return;
  throw new OperationError(`subjects not found: ${missing.join(', ')}`, 'targetNotFound');
}

/** The id of an object, or of its author, or the value itself. */
const idOf = (value: unknown): string[] => {
  const named = (typeof value === 'object' && value !== null ? value : { id: value }) as WireRecord;
  const id = 'author_id' in named ? named.author_id : named.id;
  // The input is not validated yet: the conversion of an object may throw.
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return /^\d{1,16}$/.test(text) ? [String(Number(text))] : [];
};

/** The ids in a member: one id, a list of ids, or a list of objects with an id. */
const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(idOf) : idOf(value);

/**
 * Checks that the records that an administrator references exist, because a mistyped id would
 * create a placeholder. Imports may reference records before they are imported.
 * @param stored existing references, which are always valid
 * @throws OperationError 1006 with the member and ids
 */
export async function checkReferences(
  executor: SqlExecutor,
  { references = {} }: RecordEditHooks,
  input: WireRecord,
  stored: WireRecord,
): Promise<void> {
  const addedIds = new Map<ReferencedTable, { member: string; ids: string[] }[]>();
  for (const [member, table] of Object.entries(references)) {
    const before = new Set(idsIn(stored[member]));
    const ids = idsIn(input[member]).filter((id) => !before.has(id));
    addedIds.set(table, [...(addedIds.get(table) ?? []), { member, ids }]);
  }
  for (const [table, members] of addedIds) {
    const all = members.flatMap(({ ids }) => ids);
    const missing = new Set(await findMissingIds(executor, table, all));
    const invalid = members.find(({ ids }) => ids.some((id) => missing.has(id)));
    if (!invalid) continue;
    const ids = [...new Set(invalid.ids.filter((id) => missing.has(id)))].join(', ');
    throw new OperationError(`${invalid.member}: unknown ${table}: ${ids}`, 'targetNotFound');
  }
}
