import { Expose, Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { type ErrorName } from '../errors/errors';
import { cleanText } from './text-input';

/** What a parameter is, for who reads it and for who is told about it. */
export interface InputField {
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
  readonly about?: string;
  readonly moderated?: boolean;
}

/** Parameters of each input class, by name, in the order of their declaration. */
export const inputFields = new WeakMap<object, Map<string, InputField>>();

/** What every decorator of a parameter can be told. */
export interface Composite {
  /** The error when the value is there and wrong; 999 when not given (D5). */
  readonly error?: ErrorName;
  /** The parameter must be there; the error when it is not, 1002 when `true` (D5). */
  readonly required?: boolean | ErrorName;
  /** The error of a text that is there and blank, where it is not that of an absent one. */
  readonly blank?: ErrorName;
  /** Any other text than what is expected counts as not given. */
  readonly lenient?: boolean;
  readonly about?: string;
}

interface Rule extends Composite {
  readonly schema: Record<string, unknown>;
  /** What may be given, in words, for `X-Error-Detail`. */
  readonly expects: string;
  /** The value as the service uses it; called with text only. Undefined: the text is wrong. */
  readonly read: (text: string) => unknown;
  readonly moderated?: boolean;
  /** A list of texts is one value, too. */
  readonly list?: boolean;
}

/** A value that was there and could not be read. */
const WRONG = Symbol('wrong');
/** A value that was there more than once. */
export const REPEATED = Symbol('repeated');
/** A value that was there and is none that a form could send: an object, or a list of such. */
export const SHAPED = Symbol('shaped');
/** A value that was there and said nothing. */
export const BLANK = Symbol('blank');

/** Text that JSON types stand for. */
const asText = (value: unknown): unknown =>
  typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;

/**
 * Whether JSON has not brought a number along as it was sent: one that is too large has become
 * another one, or infinite (`1e400`).
 */
const isOverflow = (value: unknown): boolean =>
  typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A value with {@link SHAPED} in the place of objects: nothing goes into them. */
export const withoutObjects = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one: unknown) => (isObject(one) ? SHAPED : one))
    : isObject(value)
      ? SHAPED
      : value;

function readValue(rule: Rule, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (isOverflow(value)) return WRONG;
  if (Array.isArray(value) && rule.list === true) {
    if (value.some(isOverflow)) return WRONG;
    const texts = value.map(asText);
    if (texts.length > 0 && texts.every((one) => typeof one === 'string')) {
      return readValue(rule, texts.join('\n'));
    }
    return texts.length === 0 ? undefined : SHAPED;
  }
  if (Array.isArray(value)) return REPEATED;
  const text = asText(value);
  if (typeof text !== 'string') return SHAPED;
  // Text of control and other invisible characters alone is as empty as none.
  if (cleanText(text).replace(/\p{Cf}/gu, '') === '')
    return rule.blank === undefined ? undefined : BLANK;
  const read = rule.read(text);
  return read === undefined ? WRONG : read;
}

/**
 * A parameter's decorator made of class-transformer and class-validator parts. It carries the
 * error that a wrong value has, apart from the one an absent value has (D5).
 */
export function parameter(rule: Rule): PropertyDecorator {
  const missing = typeof rule.required === 'string' ? rule.required : 'missingArgs';
  const required = rule.required !== undefined && rule.required !== false;
  const check = ValidateBy(
    {
      name: 'parameter',
      validator: {
        validate: (value) => typeof value !== 'symbol' && (value !== undefined || !required),
        defaultMessage: () => rule.expects,
      },
    },
    { context: { error: rule.error ?? 'unknown', missing, blank: rule.blank ?? missing } },
  );
  // The value is read from the plain object: class-transformer has converted its own by then.
  const transform = Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => {
    const value = readValue(rule, obj[key]);
    return rule.lenient === true && (value === WRONG || value === BLANK) ? undefined : value;
  });
  return (target, name) => {
    Expose()(target, name);
    transform(target, name);
    check(target, name);
    const fields = inputFields.get(target.constructor) ?? new Map<string, InputField>();
    const { schema, about, moderated } = rule;
    fields.set(String(name), { required, schema, about, moderated });
    inputFields.set(target.constructor, fields);
  };
}
