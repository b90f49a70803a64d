import { Expose, Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { type ErrorName } from '../errors/error-codes';
import { isBlank } from './text-input';

/** A declared parameter, for validation and for the OpenAPI document. */
export interface InputField {
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
  readonly about?: string;
  /** Errors for a missing, blank or wrong value, in addition to 999. */
  readonly errors: readonly ErrorName[];
  readonly moderated?: boolean;
  readonly displayedForms?: (text: string) => readonly string[];
  readonly extension?: boolean;
}

/** Parameters of each input class, by name, in the order of their declaration. */
export const inputFields = new WeakMap<object, Map<string, InputField>>();

/** Options of every parameter decorator. */
export interface Composite {
  /** Error for a wrong value; default 999 (D5). */
  readonly error?: ErrorName;
  /** Whether the parameter is required, or the error when it is missing; `true` means 1002 (D5). */
  readonly required?: boolean | ErrorName;
  /** Error for a blank text, if not that of a missing parameter. */
  readonly blank?: ErrorName;
  /** Whether an invalid value counts as absent. */
  readonly lenient?: boolean;
  readonly about?: string;
  /** Whether the specification does not have it (D51). */
  readonly extension?: boolean;
}

interface Rule extends Composite {
  readonly schema: Record<string, unknown>;
  /** Description of valid values, for `X-Error-Detail`. */
  readonly expects: string;
  /** Converts text to the internal value; undefined for wrong text. */
  readonly read: (text: string) => unknown;
  readonly moderated?: boolean;
  readonly displayedForms?: (text: string) => readonly string[];
  /** Whether a list of texts is one value. */
  readonly list?: boolean;
}

/** A value with wrong content. */
const WRONG = Symbol('wrong');
/** A parameter that occurs more than once. */
export const REPEATED = Symbol('repeated');
/** A value that no form could send: an object, or a list of objects. */
export const SHAPED = Symbol('shaped');
/** A value that is present but blank. */
export const BLANK = Symbol('blank');

/** Converts JSON booleans and numbers to text. */
const asText = (value: unknown): unknown =>
  typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;

/**
 * Whether JSON parsing has changed a number: one that is too large is rounded, or infinite
 * (`1e400`).
 */
const isOverflow = (value: unknown): boolean =>
  typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Replaces objects by {@link SHAPED}, so that nothing traverses them. */
export const withoutObjects = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((element: unknown) => (isObject(element) ? SHAPED : element))
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
  if (isBlank(text)) return rule.blank === undefined ? undefined : BLANK;
  const read = rule.read(text);
  return read === undefined ? WRONG : read;
}

/**
 * Creates a parameter decorator from class-transformer and class-validator parts. A wrong value and
 * an absent value have separate errors (D5).
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
  // Reads the plain object, because class-transformer has already converted its value.
  const transform = Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => {
    const value = readValue(rule, obj[key]);
    return rule.lenient === true && (value === WRONG || value === BLANK) ? undefined : value;
  });
  return (target, name) => {
    Expose()(target, name);
    transform(target, name);
    check(target, name);
    const fields = inputFields.get(target.constructor) ?? new Map<string, InputField>();
    const { schema, about, moderated, displayedForms, extension } = rule;
    const faults = [rule.error, required && missing, rule.blank ?? (required && missing)];
    const errors = [...new Set(faults.filter((fault) => typeof fault === 'string'))];
    fields.set(String(name), {
      required,
      schema,
      about,
      errors,
      moderated,
      displayedForms,
      extension,
    });
    inputFields.set(target.constructor, fields);
  };
}
