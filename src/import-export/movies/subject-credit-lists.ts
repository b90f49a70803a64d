import { statement, type SqlExecutor } from '../../database/database';
import { RecordReader } from '../engine/record';
import { LISTS } from './credit.record';
import { LOCK_SUBJECTS, writeSubjectSearch } from './subject-search';

/** A member of a subject that lists people. */
export type PeopleList = keyof typeof LISTS;
export const PEOPLE_LISTS = Object.keys(LISTS) as readonly PeopleList[];

/** A person in a list of a subject; without an id, identified by name (D34). */
export interface Person {
  readonly id?: string;
  readonly name?: string;
}

/** Lists of people by member. */
export type CreditLists = Readonly<Partial<Record<PeopleList, readonly Person[]>>>;

const LISTED = statement(
  'import_export.people_of_subject',
  `SELECT c.role, c.celebrity_id::text AS id, coalesce(p.name, c.name) AS name
   FROM credits c LEFT JOIN celebrities p ON p.id = c.celebrity_id
   WHERE c.subject_id = $1 AND c.role IN ('director', 'actor', 'writer')
   ORDER BY c.role, c.position, c.id`,
);

const DELETE_UNLISTED = statement(
  'import_export.delete_unlisted_credits',
  `DELETE FROM credits c WHERE c.subject_id = $1 AND c.role = ANY($2::text[])
     AND NOT EXISTS (SELECT 1
       FROM unnest($3::text[], $4::bigint[], $5::text[]) AS k(role, celebrity_id, name)
       WHERE k.role = c.role AND k.celebrity_id IS NOT DISTINCT FROM c.celebrity_id
         AND k.name = c.name)`,
);

/** Directors, cast and writers of a subject in order. */
export async function findCreditLists(executor: SqlExecutor, id: number): Promise<CreditLists> {
  const rows = await executor.query<{ role: string; id: string | null; name: string }>(LISTED, [
    id,
  ]);
  const list = (member: PeopleList): Person[] =>
    rows
      .filter(({ role }) => role === LISTS[member])
      .map((row) => (row.id === null ? { name: row.name } : { id: row.id, name: row.name }));
  return { directors: list('directors'), writers: list('writers'), casts: list('casts') };
}

/**
 * Reads the lists of people in a request body. The names of celebrities are ignored, because their
 * own records contain them.
 * @throws RecordError with the reason
 */
export function parseCreditLists(body: Readonly<Record<string, unknown>>): CreditLists {
  const reader = new RecordReader(body);
  const input = PEOPLE_LISTS.filter((member) => reader.has(member));
  return Object.fromEntries(
    input.map((member) => [
      member,
      reader.list(member).map((value): Person => {
        const person = new RecordReader(value, member);
        const id = person.id('id');
        return id === undefined ? { name: person.requiredText('name') } : { id: String(id) };
      }),
    ]),
  );
}

/**
 * Deletes the credits of people who are not in the given lists. Storing the lists adds the others.
 */
export async function deleteCreditsNotIn(
  executor: SqlExecutor,
  id: number,
  credited: CreditLists,
): Promise<void> {
  const lists = PEOPLE_LISTS.filter((member) => credited[member] !== undefined);
  if (lists.length === 0) return;
  await executor.query(LOCK_SUBJECTS, [[id]]);
  const people = lists.flatMap((member) =>
    (credited[member] ?? []).map((person) => ({ ...person, role: LISTS[member] })),
  );
  await executor.query(DELETE_UNLISTED, [
    id,
    lists.map((member) => LISTS[member]),
    people.map(({ role }) => role),
    people.map((person) => person.id ?? null),
    people.map((person) => (person.id === undefined ? person.name : '')),
  ]);
  await writeSubjectSearch(executor, [id]);
}
