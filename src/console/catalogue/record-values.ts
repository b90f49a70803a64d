import { type MemberType } from '../../admin/records/record-members';
import { malformed } from '../../api/errors/error-codes';
import { toText } from '../../text/to-text';

interface Named {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly count?: unknown;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null;

/** An element of a list in one line: a text, a person, or a name with its number. */
function lineOf(element: unknown): string {
  if (typeof element !== 'object' || element === null) return toText(element);
  const { id, name, count } = element as Named;
  return [id, name, count]
    .filter((one) => !isEmpty(one))
    .map(toText)
    .join(' ');
}

/** A value as the text of a form field; lists have one element per line. */
export function fieldText(value: unknown): string {
  if (isEmpty(value)) return '';
  return Array.isArray(value) ? value.map(lineOf).join('\n') : toText(value);
}

const LISTS: ReadonlySet<MemberType> = new Set(['list', 'ids', 'people', 'counts']);

/** Whether a member of a type is a list. */
export const isList = (type: MemberType): boolean => LISTS.has(type);

/** Whether the input of a type has several lines. */
export const hasLines = (type: MemberType): boolean => type === 'text' || isList(type);

/** A line of a list. @throws ApiError 999 for a name without its number */
function elementOf(member: string, type: MemberType, line: string): unknown {
  if (type === 'people') {
    const [, id, name] = /^(\d+)(?:\s+(.*))?$/.exec(line) ?? [];
    return id === undefined ? { name: line } : { id, ...(name !== undefined && { name }) };
  }
  if (type === 'counts') {
    const [, name, count] = /^(.*\S)\s+(\d+)$/.exec(line) ?? [];
    if (name === undefined) throw malformed(`${member} must have a number after each name`);
    return { name, count: Number(count) };
  }
  return line;
}

/** Types without an empty text: an empty field removes the value. */
const WITHOUT_EMPTY: ReadonlySet<MemberType> = new Set(['id', 'count']);

/**
 * The value in a form field, for the handler of the record.
 * @param before the stored value; unchanged lines of a list keep their elements
 * @throws ApiError 999 for an invalid line of a list
 */
export function fieldValue(
  member: string,
  type: MemberType,
  text: string,
  before: unknown,
): unknown {
  if (isList(type)) {
    const elements = new Map(
      (Array.isArray(before) ? before : []).map((one: unknown) => [lineOf(one), one]),
    );
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => elements.get(line) ?? elementOf(member, type, line));
  }
  if (WITHOUT_EMPTY.has(type) && text === '') return null;
  const isNumber = type === 'count' || typeof before === 'number';
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'time' ? timeOf(text) : text;
}

/** Browsers send `yyyy-MM-ddTHH:mm`, with seconds when they are not zero. */
export const timeOf = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?$/, (_all, day, time, seconds = ':00') =>
    [day, ' ', time, seconds].join(''),
  );
