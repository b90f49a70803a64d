import { type Operation } from './api-reference';
import {
  sampleRequest,
  targetOf,
  type SampleRequest,
  type SampleValue,
  type SampleValues,
} from './sample-request';

/** Languages of the examples. */
export const SAMPLE_LANGUAGES = ['curl', 'typescript', 'python'] as const;

/** Names of the languages for readers. */
export const SAMPLE_NAMES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** Longer calls have an argument or member a line. */
const MAX_LINE = 80;

/** The placeholder of a token in the examples of the document, and its environment variable. */
const ISSUED = 'ACCESS_TOKEN';

const isJson = ({ success }: Operation): boolean =>
  success?.contentType?.includes('json') === true && success.status !== '204';

const indent = (lines: string): string => lines.replace(/^/gm, '  ');

/** Text in parentheses or braces: on one line if it fits. */
function enclosed(before: string, parts: readonly string[], after: string, space = ''): string {
  const line = `${before}${space}${parts.join(', ')}${space}${after}`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${before}\n${parts.map((part) => `${indent(part)},`).join('\n')}\n${after}`;
}

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

function curl({ operation, request, base }: Sample): string {
  const { method, body, pictures, access } = request;
  const isMultipart = pictures.length > 0;
  const parts = [`curl ${quoted(base + targetOf(request))}`];
  if (method !== (body.length > 0 ? 'POST' : 'GET')) parts.push(`-X ${method}`);
  if (access === 'token') parts.push('-H "Authorization: Bearer $TOKEN"');
  if (access === 'client') parts.push('-u "$KEY:$SECRET"');
  for (const [name, value] of body) {
    const text = `${name}=${value}`;
    if (value === ISSUED) parts.push(`-d "${name}=$ISSUED"`);
    else if (isMultipart) parts.push(`-F ${/^[\w=.-]*$/.test(text) ? text : quoted(text)}`);
    else if (/^[\w=.-]*$/.test(text)) parts.push(`-d ${text}`);
    else parts.push(`--data-urlencode ${quoted(text)}`);
  }
  for (const name of pictures) parts.push(`-F ${name}=@photo.jpg`);
  if (operation.success?.contentType === 'text/calendar') parts.push('-o calendar.ics');
  return parts.join(' \\\n  ');
}

/** A literal of TypeScript, in the style of Prettier. */
function literal(value: SampleValue): string {
  if (value === ISSUED) return 'process.env.ISSUED!';
  if (typeof value !== 'string') return String(value);
  return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`;
}

const objectOf = (values: SampleValues): string =>
  enclosed(
    '{',
    values.map(([name, value]) => `${name}: ${literal(value)}`),
    '}',
    ' ',
  );

/** The arguments of a call of the client. */
function argumentsOf({ template, path, query, body, pictures, access }: SampleRequest): string[] {
  const members: SampleValues = body;
  const parts = [
    ...(path.length > 0 ? [`path: ${objectOf(path)}`] : []),
    ...(query.length > 0 ? [`query: ${objectOf(query)}`] : []),
  ];
  if (access === 'client') {
    const all = members.map(([name, value]) => `${name}: ${literal(value)}`);
    all.push('client_id: process.env.KEY', 'client_secret: process.env.SECRET');
    parts.push(`body: ${enclosed('{', all, '}', ' ')}`);
  } else if (members.length > 0) parts.push(`body: ${objectOf(members)}`);
  if (pictures.length > 0) {
    const files = pictures.map((name) => `${name}: new Blob([await readFile('photo.jpg')])`);
    parts.push(`files: ${enclosed('{', files, '}', ' ')}`);
  }
  return [literal(template), ...(parts.length > 0 ? [enclosed('{', parts, '}', ' ')] : [])];
}

function typescript({ operation, request, base }: Sample): string {
  const { method, access, pictures, body } = request;
  const isOwnToken = operation.id === 'createToken';
  const options = [`baseUrl: ${literal(base)}`];
  if (access === 'token') options.push('token: process.env.TOKEN');
  if (isOwnToken) options.push('clientId: process.env.KEY', 'clientSecret: process.env.SECRET');
  const scopes = String(new Map(body).get('scope') ?? '').split(' ');
  const call = isOwnToken
    ? `api.authenticate([${scopes.map(literal).join(', ')}])`
    : enclosed(`api.${method.toLowerCase()}(`, argumentsOf(request), ')');
  const hasResult = operation.success?.status !== '204';
  return [
    ...(pictures.length > 0 ? [`import { readFile } from 'node:fs/promises';`] : []),
    `import { Commonplace } from 'commonplace-client';`,
    '',
    `const api = ${enclosed('new Commonplace({', options, '});', ' ')}`,
    hasResult ? `console.log(await ${call});` : `await ${call};`,
  ].join('\n');
}

/** A literal of Python. */
function pythonLiteral(value: SampleValue): string {
  if (value === ISSUED) return 'os.environ["ISSUED"]';
  if (typeof value === 'boolean') return value ? '"true"' : '"false"';
  return JSON.stringify(value);
}

const dictionary = (values: SampleValues): string =>
  enclosed(
    '{',
    values.map(([name, value]) => `${JSON.stringify(name)}: ${pythonLiteral(value)}`),
    '}',
  );

function python({ operation, request, base }: Sample): string {
  const { method, query, body, pictures, access } = request;
  const args = [JSON.stringify(base + targetOf({ ...request, query: [] }))];
  if (query.length > 0) args.push(`params=${dictionary(query)}`);
  if (body.length > 0) args.push(`data=${dictionary(body)}`);
  if (pictures.length > 0) {
    const files = pictures.map((name) => `${JSON.stringify(name)}: open("photo.jpg", "rb")`);
    args.push(`files=${enclosed('{', files, '}')}`);
  }
  if (access === 'token') {
    args.push(`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}`);
  }
  if (access === 'client') args.push('auth=(os.environ["KEY"], os.environ["SECRET"])');
  const hasResult = operation.success?.status !== '204';
  return [
    ...(access === 'none' ? [] : ['import os', '']),
    'import requests',
    '',
    enclosed(`response = requests.${method.toLowerCase()}(`, args, ')'),
    'response.raise_for_status()',
    ...(hasResult ? [isJson(operation) ? 'print(response.json())' : 'print(response.text)'] : []),
  ].join('\n');
}

/** What an example is made of. */
interface Sample {
  readonly operation: Operation;
  readonly request: SampleRequest;
  /** Address of the service, without a slash at its end. */
  readonly base: string;
}

const WRITERS: Readonly<Record<SampleLanguage, (sample: Sample) => string>> = {
  curl,
  typescript,
  python,
};

/** The example request in a language. @param base address of the service, without a slash at its end */
export const sampleOf = (operation: Operation, language: SampleLanguage, base: string): string =>
  WRITERS[language]({ operation, request: sampleRequest(operation), base });
