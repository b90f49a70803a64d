import {
  BOOK_MEMBERS,
  CELEBRITY_MEMBERS,
  EVENT_MEMBERS,
  LOC_MEMBERS,
  PHOTO_MEMBERS,
  SUBJECT_MEMBERS,
  type MemberDescriptions,
} from '../../admin/records/record-members';
import { malformed } from '../../api/errors/errors';
import { shownText } from '../input';
import { type WireRecord } from '../../import-export/engine/editing';

/** The described members of each type of records, by the name of the type. */
export const MEMBERS: Readonly<Record<string, MemberDescriptions>> = {
  books: BOOK_MEMBERS,
  subjects: SUBJECT_MEMBERS,
  celebrities: CELEBRITY_MEMBERS,
  photos: PHOTO_MEMBERS,
  events: EVENT_MEMBERS,
  locs: LOC_MEMBERS,
};

/**
 * How a member is edited: a line, a date, a number, a URL, a choice, a long text, a list with one
 * element per line, or JSON for objects.
 */
export type FieldKind = 'line' | 'date' | 'number' | 'url' | 'choice' | 'text' | 'lines' | 'json';

/** A field of the form of a record. */
export interface RecordField {
  readonly name: string;
  readonly about: string;
  readonly kind: FieldKind;
  /** The stored value as the form shows it. */
  readonly value: string;
  /** The values of a choice. */
  readonly choices?: readonly string[];
}

const LONG = /^(summary|catalog|content|author_intro|desc)$/;
const MAX_LINE = 200;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Kinds of short members by their description, and the stored values that such an input can show. */
const SHORT_KINDS: readonly (readonly [kind: FieldKind, about: RegExp, value: RegExp])[] = [
  ['date', /^Day .*`yyyy-MM-dd`/, /^\d{4}-\d\d-\d\d$/],
  ['number', /^(Id of|Number of (participants|interested)|Position) ?/, /^\d+$/],
  ['url', /^URL of/, /^https?:\/\/\S+$/],
  ['choice', /^`\w+`( or `\w+`|:)/, /^\w+$/],
];

/** The values that a description names: `movie` or `tv`; `yes`, which implies `no`. */
function choicesIn(about: string): string[] {
  const named = [...about.matchAll(/`(\w+)`/g)].map(([, value]) => String(value));
  return named.length === 1 && named[0] === 'yes' ? ['no', 'yes'] : named;
}

/** A value that the input cannot show, such as a partial date, is edited as text. */
function shortKindOf(about: string, value: unknown): FieldKind {
  const text = value === undefined || value === null ? '' : shownText(value);
  const found = SHORT_KINDS.find(([, description]) => description.test(about));
  if (!found) return 'line';
  const [kind, , shape] = found;
  return text === '' || shape.test(text) ? kind : 'line';
}

/** Objects and lists of objects are JSON; the description tells what an absent member would be. */
function kindOf(name: string, about: string, value: unknown): FieldKind {
  if (Array.isArray(value) && value.length > 0) return value.every(isText) ? 'lines' : 'json';
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return 'json';
  if (/\bas \{|^List of .*\{/.test(about)) return 'json';
  if (/^List of/.test(about)) return 'lines';
  if (LONG.test(name) || (isText(value) && value.length > MAX_LINE)) return 'text';
  return shortKindOf(about, value);
}

function shown(kind: FieldKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'lines') return (value as string[]).join('\n');
  return kind === 'json' ? JSON.stringify(value, null, 1) : shownText(value);
}

/** The fields of a record's form. Exports may have members without a description. */
export function recordFields(type: string, stored: WireRecord): RecordField[] {
  const members = MEMBERS[type] ?? {};
  return Object.entries(members)
    .filter(([name]) => name !== 'id')
    .map(([name, about]) => {
      const value = stored[name];
      const kind = kindOf(name, about, value);
      const choices = kind === 'choice' ? { choices: choicesIn(about) } : {};
      return { name, about, kind, value: shown(kind, value), ...choices };
    });
}

const normalized = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

function parsed({ name, kind }: RecordField, text: string, before: unknown): unknown {
  if (kind === 'lines') {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  if (kind === 'json') {
    if (text === '') return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw malformed(`${name} is not valid JSON`);
    }
  }
  return typeof before === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * The members that a form changes. Unchanged ones are omitted, so that two administrators can edit
 * different members.
 *
 * @param fieldOf the text of a field; undefined when the form has no such field
 * @throws ApiError 999 for invalid JSON
 */
export function changedMembers(
  type: string,
  stored: WireRecord,
  fieldOf: (name: string) => string | undefined,
): WireRecord {
  const changes: WireRecord = {};
  for (const recordField of recordFields(type, stored)) {
    const text = fieldOf(recordField.name);
    if (text === undefined || normalized(text) === normalized(recordField.value)) continue;
    changes[recordField.name] = parsed(recordField, normalized(text), stored[recordField.name]);
  }
  return changes;
}
