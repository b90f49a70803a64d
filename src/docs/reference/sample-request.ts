import { type Field, type Operation } from './api-reference';

/** A value of an example: text, a number or a truth value. */
export type SampleValue = string | number | boolean;

/** Values of parameters or members, in the order of the document. */
export type SampleValues = readonly (readonly [name: string, value: SampleValue])[];

/** A request of an operation with the values of its example. */
export interface SampleRequest {
  readonly method: string;
  /** Path with parameters as `{name}`. */
  readonly template: string;
  readonly path: SampleValues;
  readonly query: SampleValues;
  /** Members of the body, without the credentials of the client. */
  readonly body: SampleValues;
  /** Names of the parts with pictures. */
  readonly pictures: readonly string[];
  readonly access: Operation['access'];
}

/** Queries that show what an operation is for better than the example in the document. */
const QUERIES: Readonly<Record<string, SampleValues>> = {
  listEvents: [
    ['loc', 'beijing'],
    ['day_type', 'week'],
  ],
  getEventListCalendar: [['loc', 'beijing']],
};

/** Members that the client adds to each request for tokens. */
const CREDENTIALS = new Set(['client_id', 'client_secret']);

const isValue = (value: unknown): value is SampleValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

const valuesOf = (fields: readonly Field[], place: Field['place']): SampleValues =>
  fields.flatMap(({ name, place: own, example }) =>
    own === place && isValue(example) ? [[name, example] as const] : [],
  );

/** The parts of the pictures that `pids` names, such as `image_1` for `p_1`. */
const picturesOf = (body: SampleValues): string[] =>
  body.flatMap(([name, value]) =>
    name === 'pids' ? String(value).replaceAll('p_', 'image_').split(',') : [],
  );

/** The example request of an operation. */
export function sampleRequest(operation: Operation): SampleRequest {
  const { id, method, path, parameters, body, access } = operation;
  const members = Object.entries(body?.example ?? {}).filter(
    (entry): entry is [string, SampleValue] => isValue(entry[1]) && !CREDENTIALS.has(entry[0]),
  );
  return {
    method,
    template: path,
    path: valuesOf(parameters, 'path'),
    query: QUERIES[id] ?? valuesOf(parameters, 'query'),
    body: members,
    pictures: picturesOf(members),
    access,
  };
}

/** Path and query of a request, encoded. Commas stay, because they separate elements of lists. */
export function targetOf({ template, path, query }: SampleRequest): string {
  const values = new Map(path);
  const target = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? name),
  );
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? target : `${target}?${pairs.join('&').replaceAll('%2C', ',')}`;
}
