import { OperationError } from '../../api/errors/errors';
import { isWireTime } from '../../api/input/time';

/** Why a record cannot be taken, in words for whoever has to mend the file. */
export class RecordError extends OperationError {}

/** A member that must be there is not: 1002 where somebody asks for an answer. */
export const missing = (member: string): RecordError =>
  new RecordError(`${member} is missing`, 'missingArgs');

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

/** Control characters that are no white space; PostgreSQL cannot keep all of them. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Text without control characters (D9). Imported text is otherwise left as it is, white space and
 * all, so that it comes back out as it came in.
 */
const storable = (text: string): string => text.replace(CONTROLS, '').toWellFormed();

/**
 * Length of a text, in UTF-16 code units: more than any that users can write (D41), and all that a
 * body of 1 MiB could ever bring, so that an export can always be imported.
 */
const MAX_TEXT = 1_048_576;

/** Largest id that JSON numbers hold (D10). */
const MAX_ID = Number.MAX_SAFE_INTEGER;
/** Largest count: what collections add to it still fits the column. */
const MAX_COUNT = 1_000_000_000;

/** Last place that columns can hold. */
const MAX_PLACE = 32_766;

/** Reads the members of one imported object, with a reason for each that is not as it should be. */
export class RecordReader {
  private readonly members: Readonly<Record<string, unknown>>;

  /** @throws RecordError when the value is no object */
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

  has(name: string): boolean {
    return this.members[name] !== undefined && this.members[name] !== null;
  }

  private where(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  private fail(name: string, expected: string): never {
    throw new RecordError(
      `${this.where(name)} must be ${expected}, not ${describe(this.members[name])}`,
    );
  }

  /**
   * Text; numbers are taken as text, unless JSON has not brought them along as they were written:
   * `1e400` would be "Infinity". Absent is the empty string.
   */
  text(name: string): string {
    const value = this.members[name];
    if (value === undefined || value === null) return '';
    if (typeof value === 'number') {
      return Math.abs(value) <= MAX_ID ? String(value) : this.fail(name, 'a number below 2^53');
    }
    if (typeof value !== 'string') return this.fail(name, 'text');
    if (value.length > MAX_TEXT) throw new RecordError(`${this.where(name)} is too long a text`);
    return storable(value);
  }

  /** A file in base64, as long as a record may be; absent is the empty string. */
  base64(name: string): string {
    const value = this.members[name];
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : this.fail(name, 'base64');
  }

  /** Text that says something. */
  requiredText(name: string): string {
    const text = this.text(name);
    if (text.trim() === '') throw missing(this.where(name));
    return text;
  }

  /** A positive id, as number or text; undefined when absent. */
  id(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.members[name];
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

  /** A whole number of 0 or more, as number or text; 0 when absent. */
  count(name: string): number {
    const value = this.members[name];
    if (value === undefined || value === null || value === '') return 0;
    const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT
      ? count
      : this.fail(name, 'an integer of 0 or more');
  }

  /** True or false; `absent` when it is not there. */
  flag(name: string, absent: boolean): boolean {
    const value = this.members[name];
    if (value === undefined || value === null) return absent;
    return typeof value === 'boolean' ? value : this.fail(name, 'true or false');
  }

  /** A sum of money, whole; 0 when absent. */
  amount(name: string): number {
    const value = this.has(name) ? Number(this.text(name)) : 0;
    return Number.isSafeInteger(value) && value >= 0
      ? value
      : this.fail(name, 'an integer of 0 or more');
  }

  list(name: string): unknown[] {
    const value = this.members[name];
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : this.fail(name, 'a list');
  }

  texts(name: string): string[] {
    return this.list(name).map((value) =>
      typeof value === 'string' ? storable(value) : this.fail(name, 'a list of texts'),
    );
  }

  object(name: string): RecordReader | undefined {
    return this.has(name) ? new RecordReader(this.members[name], name) : undefined;
  }

  raw(name: string): unknown {
    return this.members[name];
  }

  /** A timestamp, `yyyy-MM-dd HH:mm:ss`; undefined when absent. */
  time(name: string): string | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    return isWireTime(text) ? text : this.fail(name, 'a time like 2013-12-25 22:09:04');
  }

  /** A rating of 1 to 5 out of `rating.value`; null for none (D20). */
  stars(): number | null {
    const value = Number(this.object('rating')?.text('value') ?? '');
    return Number.isInteger(value) && value >= 1 && value <= 5 ? value : null;
  }

  /** Texts of a list whose elements may also be objects with a name. */
  namedTexts(name: string): string[] {
    return this.list(name).map((value) =>
      typeof value === 'string' ? storable(value) : new RecordReader(value, name).text('name'),
    );
  }

  /** An integer that may be unknown: null when it says so, undefined when absent. */
  maybeCount(name: string): number | null | undefined {
    const value = this.members[name];
    return value === undefined || value === null ? value : this.count(name);
  }

  /** A place in a list, from 0; undefined when absent. */
  place(name: string): number | undefined {
    return this.has(name) ? Math.min(this.count(name), MAX_PLACE) : undefined;
  }

  /** Places of the elements of another list, null or absent for none. */
  places(name: string): (number | undefined)[] {
    return this.list(name).map((value) =>
      new RecordReader({ [name]: value }, this.path).place(name),
    );
  }

  names(): string[] {
    return Object.keys(this.members);
  }
}
