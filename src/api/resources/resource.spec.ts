import { type Tier } from '../access/access';
import { absolute } from './wire-types';
import {
  address,
  bool,
  decimal1,
  int,
  lazyRef,
  list,
  map,
  ref,
  resource,
  str,
  time,
  oneOf,
  type Field,
  type JsonSchema,
  type Resource,
} from './resource';

const CONTEXT = {
  baseUrl: 'http://api.test',
  webUrl: 'http://web.test',
  sign: (path: string) => `${path}?signed`,
};
const write = (table: Resource, source: unknown, tier: Tier = 'basic', only?: string[]) =>
  table.compile(tier)(source, CONTEXT, only && new Set(only));
const one = (field: Field, value: unknown) =>
  write(resource('One', { member: field }), { member: value });

describe('types of members', () => {
  it.each([
    ['str', str(), 'a', 'a'],
    ['str', str(), 5, '5'],
    ['int', int(), 5, 5],
    ['int', int(), '9007199254740991', 9007199254740991],
    ['decimal1', decimal1(), '8.349', 8.3],
    ['decimal1', decimal1(), 8, 8],
    ['bool', bool(), true, true],
    ['word', oneOf('a', 'b'), 'b', 'b'],
    ['time', time(), '2013-12-25 22:09:04', '2013-12-25 22:09:04'],
    ['address', address(), '/p/1.jpg', 'http://api.test/p/1.jpg'],
    ['address', address(), 'https://else.test/1.jpg', 'https://else.test/1.jpg'],
    ['list', list(int()), ['1', 2], [1, 2]],
    ['map', map(address()), { 1: '/p/1.jpg' }, { 1: 'http://api.test/p/1.jpg' }],
  ] as const)('%s writes its value', (_, type, value, written) => {
    expect(one({ type }, value)).toEqual({ member: written });
  });

  it.each([
    ['str', str(), ''],
    ['int', int(), 0],
    ['decimal1', decimal1(), 0],
    ['bool', bool(), false],
    ['time', time(), ''],
    ['address', address(), ''],
    ['list', list(str()), []],
    ['map', map(str()), {}],
  ] as const)('%s writes a default for an unset value (D10)', (_, type, unset) => {
    expect(one({ type }, null)).toEqual({ member: unset });
    expect(one({ type }, undefined)).toEqual({ member: unset });
  });

  it('address() makes relative paths absolute and leaves other values unchanged (D11)', () => {
    expect(absolute('/a', CONTEXT)).toBe('http://api.test/a');
    expect(absolute('', CONTEXT)).toBe('');
  });
});

describe('members', () => {
  it('that are optional are omitted when absent, and written when empty', () => {
    const field = { type: str(), optional: true };
    expect(one(field, null)).toEqual({});
    expect(one(field, '')).toEqual({ member: '' });
  });

  it('use their own default instead of that of their type, also when it is null (section 2.7)', () => {
    expect(one({ type: str(), default: 'movie' }, null)).toEqual({ member: 'movie' });
    expect(one({ type: int(), default: null }, undefined)).toEqual({ member: null });
    expect(one({ type: int(), default: null }, 0)).toEqual({ member: 0 });
  });

  it('that are lists are truncated at their maximum', () => {
    const field = { type: list(int()), max: 2 };
    expect(one(field, [1, 2, 3])).toEqual({ member: [1, 2] });
    expect(one(field, [1])).toEqual({ member: [1] });
    expect(one(field, null)).toEqual({ member: [] });
  });

  it('read the column that `from` names', () => {
    const table = resource('From', {
      url: { type: str(), from: (row: { id: number }, { baseUrl }) => `${baseUrl}/${row.id}` },
    });
    expect(write(table, { id: 7, url: 'no' })).toEqual({ url: 'http://api.test/7' });
  });

  it('are written in the order of the table', () => {
    const table = resource('Order', { b: { type: str() }, a: { type: str() } });
    expect(Object.keys(write(table, { a: '1', b: '2' }))).toEqual(['b', 'a']);
  });

  it('are limited to the requested fields (D7)', () => {
    const table = resource('Only', { a: { type: str() }, b: { type: str() } });
    expect(write(table, { a: '1', b: '2' }, 'basic', ['b', 'c'])).toEqual({ b: '2' });
    expect(write(table, {}, 'basic', [])).toEqual({});
  });
});

describe('tiers (section 2.7)', () => {
  const Inner = resource('Inner', { all: { type: str() }, more: { type: str(), tiers: 'AP' } });
  const Outer = resource('Outer', {
    BAP: { type: str(), tiers: 'BAP' },
    BA: { type: str(), tiers: 'BA' },
    P: { type: str(), tiers: 'P' },
    inner: { type: ref(Inner) },
  });
  const row = { BAP: '1', BA: '1', P: '1', inner: { all: '1', more: '1' } };

  it.each([
    ['basic', ['BAP', 'BA', 'inner'], ['all']],
    ['advance', ['BAP', 'BA', 'inner'], ['all', 'more']],
    ['premium', ['BAP', 'P', 'inner'], ['all', 'more']],
  ] as const)(
    'show the tier %s the members %j, and %j of a nested shape',
    (tier, members, inside) => {
      const written = write(Outer, row, tier);
      expect(Object.keys(written)).toEqual(members);
      expect(Object.keys(written.inner as object)).toEqual(inside);
    },
  );
});

describe('shapes that contain each other', () => {
  interface Person {
    name: string;
    friends: Person[] | null;
  }
  const People: Resource = resource('Person', {
    name: { type: str() },
    friends: { type: list(lazyRef(() => People)) },
  });

  it('are written without endless recursion', () => {
    const ada: Person = { name: 'Ada', friends: [{ name: 'Bob', friends: null }] };
    expect(write(People, ada)).toEqual({ name: 'Ada', friends: [{ name: 'Bob', friends: [] }] });
  });
});

describe('JSON Schemas', () => {
  it('require exactly the members that are always present', () => {
    const table = resource('Schema', {
      always: { type: str() },
      sometimes: { type: int(), optional: true },
      premium: { type: list(bool()), tiers: 'P' },
    });
    const schema: JsonSchema = table.schema(() => ({}));
    expect(schema).toMatchObject({
      type: 'object',
      required: ['always'],
      additionalProperties: false,
      properties: {
        always: { type: 'string' },
        sometimes: { type: 'integer' },
        premium: { type: 'array', items: { type: 'boolean' } },
      },
    });
  });

  it.each([null, 0])('allow the default %s', (value) => {
    const table = resource('Nullable', { count: { type: int(), default: value } });
    const { properties } = table.schema(() => ({})) as { properties: { count: JsonSchema } };
    const types = [properties.count.type].flat();
    expect(types.includes('null') || JSON.stringify(properties.count).includes('null')).toBe(
      value === null,
    );
  });
});
