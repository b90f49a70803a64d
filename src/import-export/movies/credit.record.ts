import { ROLE_WORDS, roleWord } from '../../movies/roles';
import { NO_SORT_ORDER, RecordError, type RecordReader } from '../engine/record';
import { type Part } from '../engine/record-handler';

/** A role of a person in a subject. */
export interface CreditRole {
  /** `director`, `actor`, `writer`, or any other label unchanged. */
  readonly role: string;
  /** Position in the subject's list for the role; undefined keeps the stored one. */
  readonly position?: number | undefined;
  /** The cast alone implies the role: the person's works do not show it (D119). */
  readonly implied?: boolean | undefined;
}

/** All roles of a person in a subject. */
export interface CreditRecord {
  readonly subject_id: number;
  /** Null for a person without a celebrity record, identified by name (D34). */
  readonly celebrity_id: number | null;
  readonly name: string;
  readonly roles: readonly CreditRole[];
  /** Whether the roles are in display order; otherwise they are appended to the stored ones. */
  readonly ordered?: boolean;
  /** The role is a default, for a person whose role is not known. */
  readonly guessed?: boolean;
  /** Positions among all works and the featured works; undefined keeps the stored ones. */
  readonly work_sort_order?: number | undefined;
  readonly featured_sort_order?: number | undefined;
  /** The nested subject and person. */
  readonly parts?: readonly Part[];
  readonly existing?: CreditRecord | undefined;
}

/** Roles with a list in the subject, in display order. */
const LISTED = Object.keys(ROLE_WORDS);

/** The stored roles by the member of the subject that lists them. */
export const LISTS = { directors: 'director', casts: 'actor', writers: 'writer' } as const;

/** Maps a label to a role: the three listed roles have stored names. */
export const roleOf = (label: string): string =>
  LISTED.find((role) => roleWord(role) === label) ?? label;

/** Maximum number of roles of a person in a subject. */
const MAX_ROLES = 500;

/**
 * Reads the labels of a person's roles in a subject, without empty ones.
 * @throws RecordError when there are too many: each is a row, and its batch is written again for
 *   each half with an invalid record
 */
export function readRoleLabels(reader: RecordReader): string[] {
  const labels = reader.texts('roles').filter((label) => label.trim() !== '');
  if (labels.length <= MAX_ROLES) return labels;
  throw new RecordError(`roles must have at most ${MAX_ROLES} elements, not ${labels.length}`);
}

/** Sort rank of a role without a position. */
export const roleRank = (role: string): number => {
  const at = LISTED.indexOf(role);
  return at < 0 ? LISTED.length : at;
};

export const creditKey = ({
  subject_id,
  celebrity_id,
  name,
}: Pick<CreditRecord, 'subject_id' | 'celebrity_id' | 'name'>): string =>
  `${subject_id} ${celebrity_id ?? ''} ${name}`;

/** Merges two records of one person's credits in one subject; the later record wins. */
export function mergeCredits(one: CreditRecord, other: CreditRecord): CreditRecord {
  const [base, over] = other.guessed === true ? [other, one] : [one, other];
  const guessed = one.guessed === true && other.guessed === true;
  const roles = new Map<string, CreditRole>();
  const baseRoles = base.guessed === true && !guessed ? [] : base.roles;
  for (const { role, position, implied } of [...over.roles, ...baseRoles]) {
    const existing = roles.get(role);
    const isImplied = implied === true && (existing === undefined || existing.implied === true);
    roles.set(role, { role, position: existing?.position ?? position, implied: isImplied });
  }
  return {
    ...base,
    ...over,
    guessed,
    ordered: one.ordered === true || other.ordered === true,
    roles: [...roles.values()],
    work_sort_order: other.work_sort_order ?? one.work_sort_order,
    featured_sort_order: other.featured_sort_order ?? one.featured_sort_order,
    parts: [...(one.parts ?? []), ...(other.parts ?? [])],
    existing: undefined,
  };
}

/** Roles by name, the first of each. */
export type RolesByName = ReadonlyMap<string, CreditRole>;

/** Indexes roles by name, because merged records may have many roles. */
export const rolesByName = (roles: readonly CreditRole[]): RolesByName =>
  new Map([...roles].reverse().map((one) => [one.role, one]));

/** Whether one of the roles is a label, such as 自己, which only works state. */
function hasLabel(roles: RolesByName): boolean {
  // The loop reads at most one role more than LISTED has.
  for (const role of roles.keys()) if (!LISTED.includes(role)) return true;
  return false;
}

/**
 * Whether only the cast of the subject implies that the person is an actor: the works state another
 * role (D119).
 *
 * @param input the roles of the record
 * @param stored the stored roles
 */
export function isImplied(
  role: string,
  input: RolesByName,
  stored: RolesByName,
  isStated: boolean,
): boolean {
  const before = stored.get(role);
  const own = input.get(role);
  if (isStated && own) return own.implied === true;
  if (role !== 'actor') return false;
  if (!before) return hasLabel(stored);
  const isInCast = before.position !== undefined && before.position < NO_SORT_ORDER;
  return before.implied === true || (isStated && isInCast && hasLabel(input));
}
