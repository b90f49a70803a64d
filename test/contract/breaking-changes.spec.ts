import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges } from './breaking-changes';

const DOCS = join(__dirname, '../../docs');
const readJson = (path: string): object =>
  JSON.parse(readFileSync(join(DOCS, path), 'utf8')) as object;

/** The document of the newest release. */
function lastRelease(): object {
  const numbers = (name: string): number[] => (name.match(/\d+/g) ?? []).map(Number);
  const files = readdirSync(join(DOCS, 'releases')).filter((name) =>
    /^openapi-[\d.]+\.json$/.test(name),
  );
  const newest = files.sort((one, other) => {
    const pairs = numbers(one).map((number, at) => number - (numbers(other)[at] ?? 0));
    return pairs.find((difference) => difference !== 0) ?? 0;
  });
  return readJson(`releases/${String(newest.at(-1))}`);
}

it('the interface has no unannounced breaking change since the last release (D137)', () => {
  expect(breakingChanges(lastRelease(), readJson('openapi.json'), new Date())).toEqual([]);
});

/** A part of a document, which tests change freely. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

interface Operation {
  parameters: Record<string, unknown>[];
  requestBody: { content: { 'application/json': { schema: Record<string, unknown> } } };
  responses: Record<string, unknown>;
  security: unknown[];
  [name: string]: unknown;
}

/** A document with one operation, changed by `change`. */
function document(
  change: (operation: Operation, schemas: Record<string, object>) => void = () => undefined,
): object {
  const operation: Operation = {
    operationId: 'writeThing',
    security: [{ oauth2: ['read'] }],
    parameters: [{ name: 'kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } }],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { title: { type: 'string', maxLength: 10 }, size: { type: 'number' } },
            required: ['title'],
          },
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
      404: {},
    },
  };
  const schemas = {
    Thing: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        state: { type: 'string', enum: ['open', 'shut'] },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
      },
      required: ['id'],
    },
  };
  change(operation, schemas);
  const paths = operation.removed === true ? {} : { '/thing': { post: operation } };
  return { paths, components: { schemas } };
}

const TODAY = new Date('2027-06-01');
const changed = (change: Parameters<typeof document>[0], before = document()): string[] =>
  breakingChanges(before, document(change), TODAY);

const schemaOf = ({ requestBody }: Operation): Record<string, Loose> =>
  requestBody.content['application/json'].schema;

describe('a breaking change is', () => {
  it.each<[what: string, change: NonNullable<Parameters<typeof document>[0]>, found: string]>([
    ['a removed operation', (one) => (one.removed = true), 'is removed'],
    ['another id', (one) => (one.operationId = 'other'), 'operationId'],
    ['a higher scope', (one) => (one.security = [{ oauth2: ['read', 'write'] }]), 'access'],
    ['a removed parameter', (one) => (one.parameters = []), 'has no query parameter kind'],
    [
      'a required parameter',
      (one) => one.parameters.push({ name: 'x', in: 'query', required: true }),
      'requires',
    ],
    [
      'fewer values of a parameter',
      (one) => (one.parameters[0]!.schema = { type: 'string', enum: ['a'] }),
      'fewer values',
    ],
    [
      'another type of a parameter',
      (one) => (one.parameters[0]!.schema = { type: 'integer' }),
      'another type',
    ],
    ['a required member of a body', (one) => schemaOf(one).required.push('size'), 'requires size'],
    ['a removed member of a body', (one) => delete schemaOf(one).properties.size, 'has no size'],
    ['a shorter text', (one) => (schemaOf(one).properties.title.maxLength = 5), 'lower maxLength'],
    [
      'a narrower number',
      (one) => (schemaOf(one).properties.size.type = 'integer'),
      'another type',
    ],
    ['a removed status', (one) => delete one.responses[200], 'has no status 200'],
    [
      'a removed member of a response',
      (_, { Thing }: Loose) => delete Thing.properties.state,
      'has no state',
    ],
    [
      'an optional member of a response',
      (_, { Thing }: Loose) => (Thing.required = []),
      'always have id',
    ],
    [
      'more types of a member',
      (_, { Thing }: Loose) => (Thing.properties.id.type = ['integer', 'null']),
      'another type',
    ],
    [
      'more values of a member',
      (_, { Thing }: Loose) => Thing.properties.state.enum.push('new'),
      'more values',
    ],
  ])('%s', (_what, change, found) => {
    expect(changed(change).join('\n')).toContain(found);
  });
});

describe('no breaking change is', () => {
  it.each<[what: string, change: NonNullable<Parameters<typeof document>[0]>]>([
    ['no change', () => undefined],
    ['an optional parameter', (one) => one.parameters.push({ name: 'x', in: 'query' })],
    ['more values of a parameter', (one) => (one.parameters[0]!.schema = { type: 'string' })],
    ['no need of a token', (one) => (one.security = [])],
    ['a longer text', (one) => (schemaOf(one).properties.title.maxLength = 50)],
    [
      'a member of a response',
      (_, { Thing }: Loose) => (Thing.properties.more = { type: 'string' }),
    ],
    ['an error', (one) => (one.responses[409] = {})],
    [
      'a narrower member of a response',
      (_, { Thing }: Loose) => (Thing.properties.state.enum = ['open']),
    ],
  ])('%s', (_what, change) => {
    expect(changed(change)).toEqual([]);
  });
});

describe('a removal after its announcement', () => {
  const announced = (since: string, sunset: string) =>
    changed(
      (one) => (one.removed = true),
      document((one) => (one['x-deprecation'] = { since, sunset })),
    );

  it('is accepted after the sunset, if there were at least 180 days', () => {
    expect(announced('2026-11-22', '2027-05-31')).toEqual([]);
    expect(announced('2026-11-22', '2027-06-02')).toEqual(['POST /thing is removed']);
    expect(announced('2027-03-01', '2027-05-31')).toEqual(['POST /thing is removed']);
  });
});
