import { ROLE_WORDS, roleWord } from '../../movies/roles';
import { type Part } from '../engine/record-handler';

/** What somebody did in a subject. */
export interface CreditRole {
  /** `director`, `actor`, `writer`, or any other label as it was given. */
  readonly role: string;
  /** Place in the subject's list of that role; undefined stays as it is stored. */
  readonly position?: number | undefined;
}

/** All that one person did in one subject. */
export interface CreditRecord {
  readonly subject_id: number;
  /** Null for a person without a page, who has a name (D34). */
  readonly celebrity_id: number | null;
  readonly name: string;
  readonly roles: readonly CreditRole[];
  /** The roles are in the order that works show them; else they come behind what is stored. */
  readonly ordered?: boolean;
  /** The roles are only a guess, for somebody of whom no other is known. */
  readonly guessed?: boolean;
  /** Places among all works and the featured ones; undefined stays as it is stored. */
  readonly work_place?: number | undefined;
  readonly featured_place?: number | undefined;
  /** The subject and the person, where they came along. */
  readonly parts?: readonly Part[];
  readonly known?: CreditRecord | undefined;
}

/** Roles that subjects list, in their order. */
const LISTED = Object.keys(ROLE_WORDS);

/** Roles that subjects list, as they are stored, by the member that lists them. */
export const LISTS = { directors: 'director', casts: 'actor', writers: 'writer' } as const;

/** The role of a label on the wire: the three that subjects list are kept by a word of ours. */
export const roleOf = (label: string): string =>
  LISTED.find((role) => roleWord(role) === label) ?? label;

/** Where a role stands that nobody placed. */
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

/** Two records of one person's credits in one subject, the later over the earlier. */
export function mergeCredits(one: CreditRecord, other: CreditRecord): CreditRecord {
  const [base, over] = other.guessed === true ? [other, one] : [one, other];
  const guessed = one.guessed === true && other.guessed === true;
  const roles = new Map<string, CreditRole>();
  const kept = base.guessed === true && !guessed ? [] : base.roles;
  for (const { role, position } of [...over.roles, ...kept]) {
    const known = roles.get(role);
    roles.set(role, { role, position: known?.position ?? position });
  }
  return {
    ...base,
    ...over,
    guessed,
    ordered: one.ordered === true || other.ordered === true,
    roles: [...roles.values()],
    work_place: other.work_place ?? one.work_place,
    featured_place: other.featured_place ?? one.featured_place,
    parts: [...(one.parts ?? []), ...(other.parts ?? [])],
    known: undefined,
  };
}
