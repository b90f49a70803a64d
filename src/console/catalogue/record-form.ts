import { hash } from 'node:crypto';
import {
  RECORD_MEMBERS,
  type MemberDescriptions,
  type MemberType,
} from '../../admin/records/record-members';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { fieldText, fieldValue, hasLines, timeOf } from './record-values';

/** A field of the form of a record: a member, or a part of one that is an object. */
export interface RecordField {
  /** `title`, or `images.small` for a part. */
  readonly name: string;
  readonly part?: string;
  readonly type: MemberType;
  /** The stored value as the form shows it. */
  readonly stored: string;
  /** The values of a choice. */
  readonly choices: readonly string[];
  /** Whether the value is derived from the other parts. */
  readonly isDerived: boolean;
}

/** A member of a record with its fields: one, or one for each part of an object. */
export interface RecordMember {
  readonly name: string;
  readonly fields: readonly RecordField[];
}

/** The described members of a type of records. */
export const membersOf = (type: string): MemberDescriptions =>
  (RECORD_MEMBERS as Readonly<Record<string, MemberDescriptions>>)[type] ?? {};

/** The members in a record's form. Exports may have members without a description. */
export function recordMembers(type: string, stored: WireRecord): RecordMember[] {
  return Object.entries(membersOf(type))
    .filter(([name]) => name !== 'id')
    .map(([name, { type: kind, choices = [], parts }]) => {
      if (!parts) {
        const field = { name, type: kind, stored: fieldText(stored[name]), choices };
        return { name, fields: [{ ...field, isDerived: false }] };
      }
      const object = (stored[name] ?? {}) as WireRecord;
      const fields = Object.entries(parts).map(([part, { type: of, isDerived = false }]) => ({
        ...{ name: `${name}.${part}`, part, type: of, choices: [], isDerived },
        stored: fieldText(object[part]),
      }));
      return { name, fields };
    });
}

const normalized = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** Equal for a text and what a browser sends when it was not edited: inputs of one line remove line ends. */
function comparable(type: MemberType, text: string): string {
  const lines = normalized(text);
  if (type === 'time') return timeOf(lines);
  return hasLines(type) ? lines : lines.replaceAll('\n', '');
}

/**
 * A digest of the text of a field, which its form sends along: a field whose text is still the shown one
 * was not changed, also if another administrator has changed the stored value meanwhile.
 */
export const digestOf = (type: MemberType, text: string): string =>
  hash('sha256', comparable(type, text), 'base64url').slice(0, 16);

/** The texts of a form by the names of its fields; undefined when the form has no such field. */
export type FormTexts = (name: string) => string | undefined;

/** The texts of a form without those that are still the shown ones, which have the given digests. */
export function changedTexts(type: string, textOf: FormTexts, digests: FormTexts): FormTexts {
  const fields = recordMembers(type, {}).flatMap((member) => member.fields);
  const types = new Map(fields.map((field) => [field.name, field.type]));
  return (name) => {
    const text = textOf(name);
    const isShown =
      text !== undefined && digestOf(types.get(name) ?? 'line', text) === digests(name);
    return isShown ? undefined : text;
  };
}

/**
 * The texts of the fields that changes of a record concern. The parts of an object that are as before
 * were not changed, and are left out.
 */
export function textsOfChanges(type: string, changes: WireRecord, before: WireRecord): FormTexts {
  const textsOf = (record: WireRecord): Map<string, string> => {
    const members = recordMembers(type, record).filter(({ name }) => Object.hasOwn(record, name));
    const fields = members.flatMap((member) => member.fields);
    return new Map(fields.map(({ name, stored }) => [name, stored]));
  };
  const [after, former] = [textsOf(changes), textsOf(before)];
  return (name) => {
    const text = after.get(name);
    return text === former.get(name) ? undefined : text;
  };
}

/** A changed object; null when all parts are empty, except for pictures, whose empty sizes are stored. */
function changedObject(
  { name, fields }: RecordMember,
  object: WireRecord,
  changed: ReadonlyMap<string, string>,
): WireRecord | null {
  const after = { ...object };
  for (const { part = '', name: field, type, isDerived } of fields) {
    const text = changed.get(field);
    if (text !== undefined) after[part] = fieldValue(name, type, text, object[part]);
    else if (isDerived) Reflect.deleteProperty(after, part);
  }
  const isFilled = fields.some(({ name: field, stored }) => (changed.get(field) ?? stored) !== '');
  return isFilled || fields.some(({ type }) => type === 'url') ? after : null;
}

/**
 * The members that a form changes. Unchanged ones are omitted, so that two administrators can edit
 * different members.
 *
 * @param textOf the texts of the changed fields, or of all
 * @throws ApiError 999 for an invalid line of a list
 */
export function changedMembers(type: string, stored: WireRecord, textOf: FormTexts): WireRecord {
  const changes: WireRecord = {};
  for (const member of recordMembers(type, stored)) {
    const changed = new Map<string, string>();
    for (const { name, type: of, stored: before } of member.fields) {
      const text = textOf(name);
      if (text !== undefined && comparable(of, text) !== comparable(of, before))
        changed.set(name, normalized(text));
    }
    if (changed.size === 0) continue;
    const [{ name, part, type: kind } = { name: '', type: 'line' as const, part: undefined }] =
      member.fields;
    const value = stored[member.name];
    changes[member.name] =
      part === undefined
        ? fieldValue(name, kind, changed.get(name) ?? '', value)
        : changedObject(member, (value ?? {}) as WireRecord, changed);
  }
  return changes;
}
