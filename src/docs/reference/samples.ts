import { type Field, type Operation } from './api-reference';

/** Languages of the examples. */
export const SAMPLE_LANGUAGES = ['curl', 'typescript', 'python'] as const;

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** Values of parameters without an example in the document, which exist in the sample catalogue. */
const VALUES: Readonly<Record<string, string>> = {
  'getBookByIsbn.name': '9787536692930',
  'listBooksByIds.ids': '1,2,3',
  'listMoviesByIds.ids': '1001,1002',
  'listEventsByIds.ids': '1,2',
  'searchBooks.q': '三体',
  'searchMovies.q': '流浪地球',
  'listEvents.loc': 'beijing',
  'createToken.grant_type': 'client_credentials',
  'createReport.kind': 'review',
};

/** Values by the name of the parameter, for all other operations. */
const COMMON: Readonly<Record<string, string>> = {
  name: 'linmo',
  content: 'A text that is long enough to be an annotation.',
  title: 'A title',
  page: '3',
  book: '1',
  token: 'TOKEN',
};

/** A request of an operation with example values. */
export interface SampleRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  /** Members of the form; empty without body. */
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly access: Operation['access'];
}

const isText = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function valueOf({ id, path }: Operation, { name, example, schema, place }: Field): string {
  if (isText(example)) return String(example);
  const known = VALUES[`${id}.${name}`];
  if (known !== undefined) return known;
  if (place === 'path' && name === 'id') return path.startsWith('/v2/movie/subject') ? '1001' : '1';
  const [first] = schema.enum ?? [];
  if (isText(first)) return String(first);
  if (place === 'path' && schema.pattern === '^[0-9]+$') return '1';
  return COMMON[name] ?? (schema.type === 'integer' ? '1' : name);
}

/** Whether an example needs a value of the parameter. */
const isShown = ({ id }: Operation, field: Field): boolean =>
  field.required ||
  `${id}.${field.name}` in VALUES ||
  (field.example !== undefined && field.place === 'query');

/** The example request of an operation: required parameters, and those that show what it is for. */
export function sampleRequest(operation: Operation): SampleRequest {
  const { method, path, parameters, body, access } = operation;
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const field = parameters.find((one) => one.place === 'path' && one.name === name);
    return field ? encodeURIComponent(valueOf(operation, field)) : name;
  });
  const query = parameters
    .filter((field) => field.place === 'query' && isShown(operation, field))
    .map((field) => `${field.name}=${encodeURIComponent(valueOf(operation, field))}`);
  // Commas separate the elements of lists, and are more readable as they are.
  const suffix = query.length === 0 ? '' : `?${query.join('&').replaceAll('%2C', ',')}`;
  const form = (body?.fields ?? [])
    .filter((field) => isShown(operation, field))
    .map((field) => [field.name, valueOf(operation, field)] as const);
  return { method, target: `${target}${suffix}`, form, access };
}

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
/** A string literal of TypeScript, in the style of Prettier where that is possible. */
const literal = (value: string): string =>
  value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`;

function curl({ method, target, form, access }: SampleRequest, base: string): string {
  const parts = [`curl ${quoted(base + target)}`];
  if (method !== (form.length > 0 ? 'POST' : 'GET')) parts.push(`-X ${method}`);
  if (access === 'token') parts.push('-H "Authorization: Bearer $TOKEN"');
  if (access === 'client') parts.push('-u "$KEY:$SECRET"');
  for (const [name, value] of form) {
    const isPlain = /^[\w.-]*$/.test(value);
    parts.push(isPlain ? `-d ${name}=${value}` : `--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  return parts.join(' \\\n  ');
}

const isJson = ({ success }: Operation): boolean =>
  success?.contentType?.includes('json') === true && success.status !== '204';

function typescript(operation: Operation, request: SampleRequest, base: string): string {
  const { method, target, form, access } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: '${method}',`);
  if (access === 'token') {
    options.push('headers: { Authorization: `Bearer ${process.env.TOKEN}` },');
  }
  if (access === 'client') {
    options.push(
      'headers: { Authorization: `Basic ${btoa(`${process.env.KEY}:${process.env.SECRET}`)}` },',
    );
  }
  if (form.length > 0) {
    const members = form.map(([name, value]) => `    ${name}: ${literal(value)},`);
    options.push(`body: new URLSearchParams({\n${members.join('\n')}\n  }),`);
  }
  const second =
    options.length === 0 ? '' : `, {\n${options.map((line) => `  ${line}`).join('\n')}\n}`;
  const result = isJson(operation) ? 'await response.json()' : 'await response.text()';
  return `const response = await fetch(${literal(base + target)}${second});
if (!response.ok) throw new Error(await response.text());
console.log(${result});`;
}

function python(operation: Operation, request: SampleRequest, base: string): string {
  const { method, target, form, access } = request;
  const lines = ['import requests', ''];
  if (access !== 'none') lines.splice(0, 0, 'import os');
  const args = [JSON.stringify(base + target)];
  if (form.length > 0) {
    const members = form.map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    args.push(`data={${members.join(', ')}}`);
  }
  if (access === 'token') {
    args.push(`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}`);
  }
  if (access === 'client') args.push(`auth=(os.environ["KEY"], os.environ["SECRET"])`);
  const call = `requests.${method.toLowerCase()}(\n    ${args.join(',\n    ')},\n)`;
  lines.push(`response = ${call}`, 'response.raise_for_status()');
  lines.push(isJson(operation) ? 'print(response.json())' : 'print(response.text)');
  return lines.join('\n');
}

/** The example request in a language. @param base address of the service, without a slash at its end */
export function sampleOf(operation: Operation, language: SampleLanguage, base: string): string {
  const request = sampleRequest(operation);
  if (language === 'curl') return curl(request, base);
  return language === 'typescript'
    ? typescript(operation, request, base)
    : python(operation, request, base);
}
