import { MAX_TEXTS, RecordError, RecordReader } from './record';

const reader = (members: object): RecordReader => new RecordReader(members);

/** The message of the error of a reader. */
function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RecordError) return error.message;
    throw error;
  }
  throw new Error('nothing is wrong');
}

it.each([
  [null, 'a record must be an object, not null'],
  [[], 'a record must be an object, not a list'],
  ['text', 'a record must be an object, not a string'],
  [1, 'a record must be an object, not a number'],
  [undefined, 'a record must be an object, not a undefined'],
])('RecordReader accepts only objects: not %j', (value, message) => {
  expect(complaint(() => new RecordReader(value))).toBe(message);
});

describe('text', () => {
  it('is kept unchanged', () => {
    const text = '  two  spaces,\ttabs,\r\nlines \u3000 e\u0301 😀 ';
    expect(reader({ text }).text('text')).toBe(text);
    expect(reader({ text }).requiredText('text')).toBe(text);
    expect(reader({ list: [text, ''] }).texts('list')).toEqual([text, '']);
  });

  it('loses characters that PostgreSQL cannot store', () => {
    const text = '\u0000a\u0000b\ud83d';
    expect(reader({ text }).text('text')).toBe('ab\ufffd');
    expect(reader({ list: [text] }).texts('list')).toEqual(['ab\ufffd']);
    expect(complaint(() => reader({ text: '\u0000' }).requiredText('text'))).toBe(
      'text is missing',
    );
  });

  it('may be a number', () => {
    expect(reader({ pages: 302 }).text('pages')).toBe('302');
    expect(reader({ average: 8.5 }).text('average')).toBe('8.5');
  });

  it('is empty when absent', () => {
    expect(reader({}).text('title')).toBe('');
    expect(reader({ title: null }).text('title')).toBe('');
  });

  it.each([true, {}, ['a']])('may not be %j', (title) => {
    expect(complaint(() => reader({ title }).text('title'))).toMatch(/^title must be text, not a /);
  });

  it.each([undefined, null, '', ' \n\u3000'])('that is required may not be %j', (title) => {
    expect(complaint(() => reader({ title }).requiredText('title'))).toBe('title is missing');
  });

  it('in a list may only be text', () => {
    const long = 'a'.repeat(1_048_577);
    expect(complaint(() => reader({ list: [long] }).texts('list'))).toMatch('too long');
    expect(complaint(() => reader({ list: [long] }).namedTexts('list'))).toMatch('too long');
    expect(reader({ list: Array<string>(MAX_TEXTS).fill('a') }).texts('list')).toHaveLength(
      MAX_TEXTS,
    );
    expect(
      complaint(() => reader({ list: Array<string>(MAX_TEXTS + 1).fill('a') }).texts('list')),
    ).toMatch(/^list must be a list of at most 5000 texts/);
    expect(reader({}).texts('author')).toEqual([]);
    expect(complaint(() => reader({ author: 'a' }).texts('author'))).toBe(
      'author must be a list, not a string',
    );
    expect(complaint(() => reader({ author: ['a', 1] }).texts('author'))).toMatch(
      /^author must be a list of texts/,
    );
  });
});

describe('an id', () => {
  it.each([
    [1, 1],
    ['1', 1],
    ['0042', 42],
    [9007199254740991, 9007199254740991],
    ['9007199254740991', 9007199254740991],
  ])('may be %j', (input, id) => {
    expect(reader({ id: input }).id('id')).toBe(id);
    expect(reader({ id: input }).requiredId('id')).toBe(id);
  });

  it.each([
    0,
    -1,
    1.5,
    '',
    '1.0',
    '-1',
    ' 1',
    '1e3',
    '９',
    true,
    [],
    9007199254740992,
    '9007199254740993',
    '99999999999999999999',
  ])('may not be %j', (id) => {
    expect(complaint(() => reader({ id }).id('id'))).toMatch(
      /^id must be a positive integer below 2\^53, not /,
    );
  });

  it('may be absent unless it is required', () => {
    for (const members of [{}, { id: null }]) {
      expect(reader(members).id('id')).toBeUndefined();
      expect(complaint(() => reader(members).requiredId('id'))).toBe('id is missing');
    }
  });
});

describe('a count', () => {
  it.each([
    [undefined, 0],
    [null, 0],
    ['', 0],
    [0, 0],
    ['0', 0],
    ['12', 12],
    [1000000000, 1000000000],
  ])('of %j is read as %j', (input, count) => {
    expect(reader({ count: input }).count('count')).toBe(count);
  });

  it.each([-1, 0.5, '-1', '1.0', 'many', 2147483648, '9999999999', {}, false])(
    'may not be %j',
    (count) => {
      expect(complaint(() => reader({ count }).count('count'))).toMatch(
        /^count must be an integer from 0 to 1000000000, not /,
      );
    },
  );
});

describe('a time', () => {
  it.each(['2013-12-25 22:09:04', '2012-02-29 00:00:00', '0001-01-01 00:00:00'])(
    'may be %s',
    (time) => {
      expect(reader({ time }).time('time')).toBe(time);
    },
  );

  it.each([
    '2013-12-25',
    '2013-12-25T22:09:04',
    '2013-12-25 22:09:04Z',
    '2013-02-29 00:00:00',
    '2013-13-01 00:00:00',
    '2013-12-25 24:00:00',
    '2013-12-25 22:09:60',
    'now',
  ])('may not be %s', (time) => {
    expect(complaint(() => reader({ time }).time('time'))).toBe(
      'time must be a time like 2013-12-25 22:09:04, not a string',
    );
  });

  it('may be absent', () => {
    for (const members of [{}, { time: null }, { time: '' }]) {
      expect(reader(members).time('time')).toBeUndefined();
    }
  });
});

it.each([
  [{}, null],
  [{ rating: null }, null],
  [{ rating: {} }, null],
  [{ rating: { value: '' } }, null],
  [{ rating: { value: '0' } }, null],
  [{ rating: { value: '6' } }, null],
  [{ rating: { value: '-1' } }, null],
  [{ rating: { value: '3.5' } }, null],
  [{ rating: { value: 'good' } }, null],
  [{ rating: { value: '1' } }, 1],
  [{ rating: { value: 5, max: 5, min: 0 } }, 5],
])('reads the rating %j as %j stars', (members, stars) => {
  expect(reader(members).stars()).toBe(stars);
});

describe('a nested reader', () => {
  it('names the path of a wrong member', () => {
    const series = reader({ series: { id: 'x', title: {} } }).object('series');
    expect(complaint(() => series?.id('id'))).toMatch(/^series\.id must be a positive integer/);
    expect(complaint(() => series?.text('title'))).toMatch(/^series\.title must be text/);
  });

  it('names the path of a missing member', () => {
    const series = reader({ series: {} }).object('series');
    expect(complaint(() => series?.requiredId('id'))).toBe('series.id is missing');
    expect(complaint(() => series?.requiredText('title'))).toBe('series.title is missing');
  });

  it('is undefined for an absent member, and rejects values that are not objects', () => {
    expect(reader({}).object('series')).toBeUndefined();
    expect(reader({ series: null }).object('series')).toBeUndefined();
    expect(complaint(() => reader({ series: 'x' }).object('series'))).toBe(
      'series must be an object, not a string',
    );
  });
});

it('knows the names of its members, and which of them have a value', () => {
  const members = reader({ a: 0, b: null, c: '', d: false });
  expect(members.names()).toEqual(['a', 'b', 'c', 'd']);
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => members.has(name))).toEqual(['a', 'c', 'd']);
});
