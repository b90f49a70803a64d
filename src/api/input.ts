import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Expose, plainToInstance, Transform } from 'class-transformer';
import { ValidateBy, validateSync } from 'class-validator';
import { ApiError, type ErrorName } from './errors';
import { type FramedRequest } from './frame';
import { documents } from './route';
import { type Parameter } from './route-table';
import { cleanText, lengthOf } from './text-input';
import { isDay, parseRfc3339 } from './time';

type InputClass<T extends object> = new () => T;

interface InputField {
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
  readonly about?: string;
}

const inputFields = new WeakMap<object, Map<string, InputField>>();

interface Composite {
  /** The error when the value is there and wrong; 999 when not given (D5). */
  readonly error?: ErrorName;
  /** The parameter must be there; the error when it is not, 1002 when `true` (D5). */
  readonly required?: boolean | ErrorName;
  /** The error of a text that is there and blank, where it is not that of an absent one. */
  readonly blank?: ErrorName;
  /** Anything else than what is expected counts as not given. */
  readonly lenient?: boolean;
  readonly about?: string;
}

interface Rule extends Composite {
  readonly schema: Record<string, unknown>;
  /** What may be given, in words, for `X-Error-Detail`. */
  readonly expects: string;
  /** The value as the service uses it; called with text only. Undefined: the text is wrong. */
  readonly read: (text: string) => unknown;
}

/** A value that was there and could not be read. */
const WRONG = Symbol('wrong');
/** A value that was there more than once. */
const REPEATED = Symbol('repeated');
/** A value that was there and said nothing. */
const BLANK = Symbol('blank');

const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

function readValue(rule: Rule, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return REPEATED;
  const text = asText(value);
  if (typeof text !== 'string') return WRONG;
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
function parameter(rule: Rule): PropertyDecorator {
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
    return rule.lenient === true && typeof value === 'symbol' ? undefined : value;
  });
  return (target, name) => {
    Expose()(target, name);
    transform(target, name);
    check(target, name);
    const fields = inputFields.get(target.constructor) ?? new Map<string, InputField>();
    fields.set(String(name), { required, schema: rule.schema, about: rule.about });
    inputFields.set(target.constructor, fields);
  };
}

/** Text, cleaned as D9 says, of `min` to `max` code points. */
export const Text = (options: Composite & { min?: number; max?: number } = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string' },
    expects: `text of ${options.min ?? 0} to ${options.max ?? 'any number of'} characters`,
    read: (given) => {
      const text = cleanText(given);
      const length = lengthOf(text);
      return length >= (options.min ?? 0) && length <= (options.max ?? Infinity) ? text : undefined;
    },
  });

/** One of some words; `aliases` are further spellings of them. */
export const Choice = (
  words: readonly string[],
  options: Composite & { aliases?: Readonly<Record<string, string>> } = {},
): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string', enum: [...words, ...Object.keys(options.aliases ?? {})] },
    expects: `one of ${words.join(', ')}`,
    read: (given) => {
      const text = given.trim();
      if (words.includes(text)) return text;
      return Object.hasOwn(options.aliases ?? {}, text) ? options.aliases?.[text] : undefined;
    },
  });

/** A whole number of a range. */
export const Whole = (options: Composite & { min: number; max: number }): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'integer', minimum: options.min, maximum: options.max },
    expects: `an integer from ${options.min} to ${options.max}`,
    read: (given) => {
      const text = given.trim();
      const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
      return number >= options.min && number <= options.max ? number : undefined;
    },
  });

/** An instant in RFC 3339 with any offset (D1). */
export const Instant = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string', format: 'date-time' },
    expects: 'an RFC 3339 date-time, such as 2013-12-25T22:09:04+08:00',
    read: (given) => parseRfc3339(given.trim()),
  });

/** A day of the calendar, `yyyy-MM-dd`. */
export const Day = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string', format: 'date' },
    expects: 'a day of the calendar, such as 2013-12-25',
    read: (given) => (isDay(given.trim()) ? given.trim() : undefined),
  });

const DECIMAL = /^[+-]?(\d{1,10}(\.\d{0,20})?|\.\d{1,20})$/;

/** A decimal number of a range, without an exponent; undefined for any other text. */
function readDecimal(text: string, min: number, max: number): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : undefined;
}

/** A decimal number of a range. */
export const Decimal = (options: Composite & { min: number; max: number }): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'number', minimum: options.min, maximum: options.max },
    expects: `a decimal number from ${options.min} to ${options.max}`,
    read: (given) => readDecimal(given.trim(), options.min, options.max),
  });

/** `lat,lon` in decimal degrees; read as an object of both. */
export const Coordinates = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string' },
    expects: 'latitude,longitude in decimal degrees, such as 39.9,116.4',
    read: (given) => {
      const [north = '', east = '', ...more] = given.split(',').map((part) => part.trim());
      const lat = readDecimal(north, -90, 90);
      const lon = readDecimal(east, -180, 180);
      return more.length > 0 || lat === undefined || lon === undefined ? undefined : { lat, lon };
    },
  });

/** An empty parameter is an absent one (D3): the class's own default stands. */
function keepDefaults<T extends object>(type: InputClass<T>, input: T): void {
  for (const [name, value] of Object.entries(new type())) {
    const key = name as keyof T;
    if (input[key] === undefined && value !== undefined) input[key] = value as T[keyof T];
  }
}

interface FaultContext {
  readonly error: ErrorName;
  readonly missing: ErrorName;
  readonly blank: ErrorName;
}

/**
 * Parameters of a request, read and checked by their class. Unknown ones are ignored (D8).
 *
 * @throws ApiError of the first faulty parameter, in the order of their declaration
 */
export function readInput<T extends object>(type: InputClass<T>, given: unknown): T {
  const input = plainToInstance(type, given, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  keepDefaults(type, input);
  const [fault] = validateSync(input, { stopAtFirstError: true });
  if (!fault) return input;
  const context = (fault.contexts?.parameter ?? {}) as FaultContext;
  const expects = fault.constraints?.parameter ?? '';
  if (fault.value === undefined) {
    throw new ApiError(context.missing, { detail: `${fault.property} is missing` });
  }
  if (fault.value === BLANK) {
    throw new ApiError(context.blank, { detail: `${fault.property} is blank` });
  }
  const must = fault.value === REPEATED ? 'be given once' : `be ${expects}`;
  throw new ApiError(context.error, { detail: `${fault.property} must ${must}` });
}

function parametersOf(type: InputClass<object>, place: 'query' | 'body'): Parameter[] {
  // Instances know nothing of inherited decorators' order; parents come first.
  const chain: object[] = [];
  for (let at: unknown = type; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    chain.unshift(at);
  }
  const defaults = new type() as Record<string, unknown>;
  const schemaOf = (name: string, { schema }: InputField) =>
    defaults[name] === undefined ? schema : { ...schema, default: defaults[name] };
  return chain.flatMap((at) =>
    [...(inputFields.get(at) ?? [])].map(([name, field]) => ({
      name,
      in: place,
      ...field,
      schema: schemaOf(name, field),
    })),
  );
}

const inputFrom =
  (place: 'query' | 'body', pick: (request: FramedRequest) => unknown) =>
  <T extends object>(type: InputClass<T>): ParameterDecorator =>
    createParamDecorator(
      (_data: unknown, context: ExecutionContext): T =>
        readInput(type, pick(context.switchToHttp().getRequest<FramedRequest>())),
      [documents(() => parametersOf(type, place))],
    )();

/** Parameters of the query, as an instance of their input class. */
export const QueryInput = inputFrom('query', (request) => request.frame.query);

/** Parameters of the body, in any of the three encodings (D8), as an instance of their class. */
export const BodyInput = inputFrom('body', (request) => request.body ?? {});
