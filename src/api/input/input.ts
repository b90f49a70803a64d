import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ApiError, type ErrorName } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { idIn } from './ids';
import { banned, ModeratedInput, type ModeratedText, type Moderator } from '../writes/moderation';
import {
  BLANK,
  inputFields,
  parameter,
  REPEATED,
  SHAPED,
  withoutObjects,
  type Composite,
  type InputField,
} from './parameter';
import { documents } from '../routing/route';
import { type Parameter } from '../routing/route-table';
import { cleanText, lengthOf } from './text-input';

type InputClass<T extends object> = new () => T;

interface TextOptions extends Composite {
  readonly min?: number;
  readonly max?: number;
  /** Whether to check for banned words. Every text parameter of a write sets it explicitly. */
  readonly moderated?: boolean;
  /** Returns the forms in which readers see a text with markup, which are checked, too. */
  readonly displayedForms?: (text: string) => readonly string[];
}

/** Text of `min` to `max` code points after cleaning (D9). */
export const Text = (options: TextOptions = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string' },
    expects: `text of ${options.min ?? 0} to ${options.max ?? 'any number of'} characters`,
    read: (raw) => {
      const text = cleanText(raw);
      const length = lengthOf(text);
      return length >= (options.min ?? 0) && length <= (options.max ?? Infinity) ? text : undefined;
    },
  });

/** One of a fixed set of words; `aliases` maps further spellings to them. */
export const EnumParam = (
  words: readonly string[],
  options: Composite & { aliases?: Readonly<Record<string, string>> } = {},
): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string', enum: [...words, ...Object.keys(options.aliases ?? {})] },
    expects: `one of ${words.join(', ')}`,
    read: (raw) => {
      const text = raw.trim();
      if (words.includes(text)) return text;
      return Object.hasOwn(options.aliases ?? {}, text) ? options.aliases?.[text] : undefined;
    },
  });

/**
 * A list of texts: a JSON list, a repeated parameter, or one text with commas or newlines as
 * separators. Duplicates are removed.
 */
export const StringListParam = (
  options: Composite & { of?: readonly string[]; most?: number } = {},
): PropertyDecorator =>
  parameter({
    ...options,
    list: true,
    schema: {
      type: 'array',
      items: options.of ? { type: 'string', enum: options.of } : { type: 'string' },
    },
    expects: options.of ? `some of ${options.of.join(', ')}` : 'a list of texts',
    read: (raw) => {
      const all = raw.split(/[,\n]/).map(cleanText);
      const texts = [...new Set(all.filter((text) => text !== ''))];
      const isValid = texts.every((text) => options.of?.includes(text) ?? true);
      return isValid && texts.length <= (options.most ?? 1000) ? texts : undefined;
    },
  });

/** The boolean of `true` or `false` in any case, as clients write them (D43); else undefined. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** A boolean, in any case (D43). */
export const BooleanParam = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'boolean' },
    expects: 'true or false',
    read: readBoolean,
  });

/** An integer in a range, with at most `digits` digits. */
export const IntegerParam = (
  options: Composite & { min: number; max: number; digits?: number },
): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'integer', minimum: options.min, maximum: options.max },
    expects: `an integer from ${options.min} to ${options.max}`,
    read: (raw) => {
      const text = raw.trim();
      const written = /^\d{1,16}$/.test(text) && text.length <= (options.digits ?? 16);
      const number = written ? Number(text) : NaN;
      return number >= options.min && number <= options.max ? number : undefined;
    },
  });

/** Id of an object that may not exist: no object has id 0 or an id above 2^53 (D10). */
export const Id = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'integer', minimum: 0 },
    expects: 'a numeric id',
    read: (raw) => (/^\d+$/.test(raw.trim()) ? (idIn(raw.trim()) ?? 0) : undefined),
  });

const DECIMAL = /^[+-]?(\d{1,10}(\.\d{0,20})?|\.\d{1,20})$/;

/** Parses a decimal number in a range, without an exponent; undefined for other text. */
function readDecimal(text: string, min: number, max: number): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : undefined;
}

/** A decimal number in a range. */
export const Decimal = (options: Composite & { min: number; max: number }): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'number', minimum: options.min, maximum: options.max },
    expects: `a decimal number from ${options.min} to ${options.max}`,
    read: (raw) => readDecimal(raw.trim(), options.min, options.max),
  });

/** `lat,lon` in decimal degrees, converted to an object. */
export const Coordinates = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string' },
    expects: 'latitude,longitude in decimal degrees, such as 39.9,116.4',
    read: (raw) => {
      const [north = '', east = '', ...more] = raw.split(',').map((part) => part.trim());
      const lat = readDecimal(north, -90, 90);
      const lon = readDecimal(east, -180, 180);
      return more.length > 0 || lat === undefined || lon === undefined ? undefined : { lat, lon };
    },
  });

/** Restores defaults of the class for empty parameters, which count as absent (D3). */
function keepDefaults<T extends object>(type: InputClass<T>, input: T): void {
  for (const [name, value] of Object.entries(new type())) {
    const key = name as keyof T;
    if (input[key] === undefined && value !== undefined) input[key] = value as T[keyof T];
  }
}

interface ErrorContext {
  readonly error: ErrorName;
  readonly missing: ErrorName;
  readonly blank: ErrorName;
}

/** Fields of each input class by name; those of parent classes come first. */
const fieldsOf = (type: InputClass<object>): readonly (readonly [string, InputField])[] => {
  const cached = allFields.get(type);
  if (cached) return cached;
  // The order of inherited decorators is only known from the prototype chain.
  const chain: object[] = [];
  for (let at: unknown = type; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    chain.unshift(at);
  }
  const fields = chain.flatMap((at) => [...(inputFields.get(at) ?? [])]);
  allFields.set(type, fields);
  return fields;
};
const allFields = new WeakMap<object, readonly (readonly [string, InputField])[]>();

/**
 * Selects the values of declared parameters from a request. class-transformer walks all input and
 * would call a member that a caller names `constructor`.
 */
function valuesOf(type: InputClass<object>, source: unknown): Record<string, unknown> {
  const members = (source ?? {}) as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const [name] of fieldsOf(type)) {
    if (Object.hasOwn(members, name)) values[name] = withoutObjects(members[name]);
  }
  return values;
}

/**
 * Converts and validates the parameters of a request by their class. It ignores unknown members
 * (D8).
 *
 * @throws ApiError for the first invalid parameter, in the order of declaration
 */
export function readInput<T extends object>(type: InputClass<T>, source: unknown): T {
  const input = plainToInstance(type, valuesOf(type, source), {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  keepDefaults(type, input);
  const [fault] = validateSync(input, { stopAtFirstError: true });
  if (!fault) return input;
  const context = (fault.contexts?.parameter ?? {}) as ErrorContext;
  const expects = fault.constraints?.parameter ?? '';
  if (fault.value === undefined) {
    throw new ApiError(context.missing, { detail: `${fault.property} is missing` });
  }
  if (fault.value === BLANK) {
    throw new ApiError(context.blank, { detail: `${fault.property} is blank` });
  }
  const must = fault.value === REPEATED ? 'occur only once' : `be ${expects}`;
  // Specific error numbers are only for wrong text.
  const isText = fault.value !== REPEATED && fault.value !== SHAPED;
  throw new ApiError(isText ? context.error : 'unknown', {
    detail: `${fault.property} must ${must}`,
  });
}

function parametersOf(type: InputClass<object>, place: 'query' | 'body'): Parameter[] {
  const defaults = new type() as Record<string, unknown>;
  const schemaOf = (name: string, { schema }: InputField) =>
    defaults[name] === undefined ? schema : { ...schema, default: defaults[name] };
  return fieldsOf(type).map(([name, field]) => ({
    name,
    in: place,
    ...field,
    schema: schemaOf(name, field),
  }));
}

const inputFrom =
  (
    place: 'query' | 'body',
    read: (request: ApiRequest, type: InputClass<object>) => object | Promise<object>,
  ) =>
  (type: InputClass<object>): ParameterDecorator =>
    createParamDecorator(
      (_data: unknown, context: ExecutionContext) =>
        read(context.switchToHttp().getRequest<ApiRequest>(), type),
      [documents(() => parametersOf(type, place))],
    )();

/** The query parameters as an instance of their input class. */
export const QueryInput = inputFrom('query', (request, type) =>
  readInput(type, request.context.query),
);

/**
 * Checks the public texts of an input for banned words, and stores why they need review.
 *
 * @throws ApiError 1004 for a rejected word, and for a word that needs review where the input
 * cannot be held for review
 */
export async function moderate(
  type: InputClass<object>,
  input: object,
  moderator: Moderator | undefined,
): Promise<void> {
  const texts = fieldsOf(type).flatMap(([name, { moderated, displayedForms }]): ModeratedText[] => {
    const text = (input as Record<string, unknown>)[name];
    if (!moderated || typeof text !== 'string') return [];
    return [...new Set([text, ...(displayedForms?.(text) ?? [])])].map((form) => ({
      name,
      text: form,
    }));
  });
  const moderationFlag = texts.length === 0 ? undefined : await moderator?.check(texts);
  if (input instanceof ModeratedInput) input.moderationFlag = moderationFlag;
  else if (moderationFlag !== undefined) throw banned(moderationFlag.texts);
}

/**
 * The body parameters, in any of the three encodings (D8), as an instance of their input class,
 * after the check for banned words.
 */
export const BodyInput = inputFrom('body', async (request, type) => {
  const input = readInput(type, request.body ?? {});
  await moderate(type, input, request.moderator);
  return input;
});
