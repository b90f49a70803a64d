import { storable } from '../../text/storable';
import { OperationError } from '../../api/errors/error-codes';
import { isRecordTime } from './record-time';

/** The reason an import rejects a record, for the person who corrects the file. */
export class RecordError extends OperationError {}

/** A required member is missing; the API reports it as 1002. */
export const missing = (member: string): RecordError =>
  new RecordError(`${member} is missing`, 'missingArgs');

/** @throws RecordError when a required text is empty */
export function requireText(text: string, name: string): void {
  if (text.trim() === '') throw missing(name);
}

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

/**
 * Maximum length of a text in UTF-16 code units. It exceeds the limits for users (D41) and the size
 * of a request body of 1 MiB, so every export can be imported.
 */
const MAX_TEXT = 1_048_576;

/** Maximum length of a list of texts, such as authors: each page of a book reads all of them. */
export const MAX_TEXTS = 5000;

/** Largest id that JSON numbers hold (D10). */
const MAX_ID = Number.MAX_SAFE_INTEGER;
/** Maximum count: the column has room for what collections add to it. */
const MAX_COUNT = 1_000_000_000;

/** The sort position of an element without one: after all others. */
export const NO_SORT_ORDER = 32_767;

/** Limits a position to the range of the column. */
export const toSortOrder = (at: number): number => Math.min(at, NO_SORT_ORDER - 1);

/** The position in JSON; absent when not specified. */
export const sortOrderJson = (sortOrder: number | undefined): number | undefined =>
  sortOrder === NO_SORT_ORDER ? undefined : sortOrder;

/**
 * Former names of record members by their current name. Files that earlier versions exported have
 * them, and imports accept both.
 */
export const FORMER_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['placeholder', 'stub'],
  ['hidden', 'held'],
  ['extra', 'kept'],
  ['deleted_at', 'removed_at'],
  ['created_book', 'made'],
  ['sort_order', 'place'],
  ['work_sort_order', 'work_place'],
  ['featured_sort_order', 'featured_place'],
]);

/** Whether a member has a value: an empty one counts as absent. */
export const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** Reads the members of an imported object and throws a reason for each invalid one. */
export class RecordReader {
  private readonly members: Readonly<Record<string, unknown>>;

  /** @throws RecordError when the value is not an object */
  constructor(
    value: unknown,
    private readonly path = '',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new RecordError(
        `${path === '' ? 'a record' : path} must be an object, not ${describe(value)}`,
      );
    }
    this.members = value as Record<string, unknown>;
  }

  /** A member, also by its former name. */
  raw(name: string): unknown {
    const value = this.members[name];
    if (value !== undefined) return value;
    const former = FORMER_MEMBERS.get(name);
    return former === undefined ? undefined : this.members[former];
  }

  has(name: string): boolean {
    const value = this.raw(name);
    return value !== undefined && value !== null;
  }

  private where(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  private fail(name: string, expected: string): never {
    throw new RecordError(
      `${this.where(name)} must be ${expected}, not ${describe(this.raw(name))}`,
    );
  }

  /**
   * A text. Numbers are accepted as text unless parsing changed them: `1e400` would become
   * "Infinity". Absent means the empty string.
   */
  text(name: string): string {
    const value = this.raw(name);
    if (value === undefined || value === null) return '';
    if (typeof value === 'number') {
      return Math.abs(value) <= MAX_ID ? String(value) : this.fail(name, 'a number below 2^53');
    }
    return this.textIn(name, value, 'text');
  }

  /** @param expected the expectation that another value than a text fails */
  private textIn(name: string, value: unknown, expected: string): string {
    if (typeof value !== 'string') return this.fail(name, expected);
    if (value.length > MAX_TEXT) throw new RecordError(`${this.where(name)} is too long`);
    return storable(value);
  }

  /** A base64 file up to the maximum size of a record. Absent means the empty string. */
  base64(name: string): string {
    const value = this.raw(name);
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : this.fail(name, 'base64');
  }

  /** A non-empty text. */
  requiredText(name: string): string {
    const text = this.text(name);
    if (text.trim() === '') throw missing(this.where(name));
    return text;
  }

  /** A positive id as number or text; undefined when absent. */
  id(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.raw(name);
    const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID
      ? id
      : this.fail(name, 'a positive integer below 2^53');
  }

  requiredId(name: string): number {
    const id = this.id(name);
    if (id === undefined) throw missing(this.where(name));
    return id;
  }

  /** An integer from 0 to {@link MAX_COUNT} as number or text; 0 when absent. */
  count(name: string): number {
    const value = this.raw(name);
    if (value === undefined || value === null || value === '') return 0;
    const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT
      ? count
      : this.fail(name, `an integer from 0 to ${MAX_COUNT}`);
  }

  /** A boolean; `absent` when missing. */
  flag(name: string, absent: boolean): boolean {
    const value = this.raw(name);
    if (value === undefined || value === null) return absent;
    return typeof value === 'boolean' ? value : this.fail(name, 'true or false');
  }

  /** An integer amount of money; 0 when absent. */
  amount(name: string): number {
    const value = this.has(name) ? Number(this.text(name)) : 0;
    return Number.isSafeInteger(value) && value >= 0
      ? value
      : this.fail(name, 'an integer of 0 or more');
  }

  list(name: string): unknown[] {
    const value = this.raw(name);
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : this.fail(name, 'a list');
  }

  /** At most {@link MAX_TEXTS}. */
  texts(name: string): string[] {
    const list = this.list(name);
    if (list.length > MAX_TEXTS) this.fail(name, `a list of at most ${MAX_TEXTS} texts`);
    return list.map((value) => this.textIn(name, value, 'a list of texts'));
  }

  object(name: string): RecordReader | undefined {
    return this.has(name) ? new RecordReader(this.raw(name), name) : undefined;
  }

  /** A timestamp, `yyyy-MM-dd HH:mm:ss`, or as exports write it; undefined when absent. */
  time(name: string): string | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    return isRecordTime(text) ? text : this.fail(name, 'a time like 2013-12-25 22:09:04');
  }

  /** A rating of 1 to 5 from `rating.value`; null for none (D20). */
  stars(): number | null {
    const value = Number(this.object('rating')?.text('value') ?? '');
    return Number.isInteger(value) && value >= 1 && value <= 5 ? value : null;
  }

  /** Texts of a list whose elements may be objects with a name. */
  namedTexts(name: string): string[] {
    return this.list(name).map((value) =>
      typeof value === 'string'
        ? this.textIn(name, value, 'text')
        : new RecordReader(value, name).text('name'),
    );
  }

  /** A nullable integer: null when given as null, undefined when absent. */
  maybeCount(name: string): number | null | undefined {
    const value = this.raw(name);
    return value === undefined || value === null ? value : this.count(name);
  }

  /** A position in a list, from 0; undefined when absent. */
  sortOrder(name: string): number | undefined {
    return this.has(name) ? toSortOrder(this.count(name)) : undefined;
  }

  /** Positions of the elements of another list; null or absent for none. */
  sortOrders(name: string): (number | undefined)[] {
    return this.list(name).map((value) =>
      new RecordReader({ [name]: value }, this.path).sortOrder(name),
    );
  }

  /** Three sizes of a picture; an absent size falls back to the medium one. */
  sizes(): { small: string; medium: string; large: string } {
    const medium = this.text('medium') || this.text('large') || this.text('small');
    return { small: this.text('small') || medium, medium, large: this.text('large') || medium };
  }

  names(): string[] {
    return Object.keys(this.members);
  }
}
