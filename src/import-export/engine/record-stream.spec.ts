import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { readRecords, type RawRecord } from './record-stream';

const MEMBERS = new Set(['books', 'users']);

async function read(...pieces: (string | Buffer)[]): Promise<RawRecord[]> {
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const records: RawRecord[] = [];
  for await (const record of readRecords(input, MEMBERS)) records.push(record);
  return records;
}

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

describe('a file with one JSON object', () => {
  it.each([
    ['on one line', '{"id":1}', 1],
    ['on one line that ends', '{"id":1}\n', 1],
    ['after empty lines', '\n \n{"id":1}\n\n', 3],
    ['pretty-printed', '{\n  "id": 1\n}\n', 1],
    ['with Windows line ends', '{\r\n  "id": 1\r\n}\r\n', 1],
  ])('reads %s as a record', async (_form, text, line) => {
    expect(await read(text)).toEqual([{ line, value: { id: 1 } }]);
  });

  it('keeps nested lists that are not lists of records', async () => {
    const value = { id: 1, tags: [{ name: 'a' }], author: ['x', 'y'], series: { books: [1, 2] } };
    expect(await read(JSON.stringify(value, null, 2))).toEqual([{ line: 1, value }]);
  });
});

it('reads a long line in linear time', async () => {
  const value = { books: [{ id: 1, summary: 'x'.repeat(2_000_000) }] };
  const [record] = await read(JSON.stringify(value));
  expect(record).toMatchObject({ line: 1, member: 'books' });
});

describe('an array', () => {
  it('reads records on one line', async () => {
    expect(await read('[{"id":1},{"id":2}]')).toEqual([
      { line: 1, value: { id: 1 } },
      { line: 1, value: { id: 2 } },
    ]);
  });

  it('returns the line on which each record begins', async () => {
    const text = JSON.stringify([{ id: 1, tags: [1, [2]] }, { id: 2 }], null, 2);
    expect(await read(text)).toEqual([
      { line: 2, value: { id: 1, tags: [1, [2]] } },
      { line: 11, value: { id: 2 } },
    ]);
  });

  it('reports the element that is not JSON, and continues', async () => {
    expect(await read('[\n{"id":1},\n{"id":},\n{"id":3}\n]\n')).toEqual([
      { line: 2, value: { id: 1 } },
      { line: 3, error: 'not valid JSON' },
      { line: 4, value: { id: 3 } },
    ]);
  });

  it('may be empty', async () => {
    expect(await read('[]\n')).toEqual([]);
    expect(await read('[\n]')).toEqual([]);
  });
});

describe('newline-delimited JSON', () => {
  it('counts lines, including empty ones', async () => {
    expect(await read('{"id":1}\n\n{"id":2}\r\n{"id":3}')).toEqual([
      { line: 1, value: { id: 1 } },
      { line: 3, value: { id: 2 } },
      { line: 4, value: { id: 3 } },
    ]);
  });

  it.each(['{"id":2', 'words', '{"id":2}}', '{"a":"', ']', '{"id":"\t"}'])(
    'reports a line that is not JSON, and continues: %s',
    async (bad) => {
      expect(await read(lines('{"id":1}', bad, '{"id":3}', '{"id":4}'))).toEqual([
        { line: 1, value: { id: 1 } },
        { line: 2, error: 'not valid JSON' },
        { line: 3, value: { id: 3 } },
        { line: 4, value: { id: 4 } },
      ]);
    },
  );

  it.each(['{"id":1', 'words'])('continues after an invalid first line: %s', async (bad) => {
    expect(await read(lines(bad, '{"id":2}', '{"id":3}'))).toEqual([
      { line: 1, error: 'not valid JSON' },
      { line: 2, value: { id: 2 } },
      { line: 3, value: { id: 3 } },
    ]);
  });

  it('reports that the last line is truncated', async () => {
    expect(await read('{"id":1}\n{"id":2}\n{"id":')).toEqual([
      { line: 1, value: { id: 1 } },
      { line: 2, value: { id: 2 } },
      { line: 3, error: 'not valid JSON' },
    ]);
  });

  it('may have a list response on each line', async () => {
    const line = (id: number): string => JSON.stringify({ start: 0, books: [{ id }, { id: -id }] });
    expect(await read(lines(line(1), line(2)))).toEqual([
      { line: 1, member: 'books', value: { id: 1 } },
      { line: 1, member: 'books', value: { id: -1 } },
      { line: 2, member: 'books', value: { id: 2 } },
      { line: 2, member: 'books', value: { id: -2 } },
    ]);
  });
});

describe('a file with a list response', () => {
  const response = { start: 0, count: 2, total: 2, books: [{ id: 1 }, { id: 2, tags: [] }] };
  const values = [{ id: 1 }, { id: 2, tags: [] }];

  it.each([
    ['on one line', JSON.stringify(response)],
    ['on one line that ends', `${JSON.stringify(response)}\n`],
    ['pretty-printed', JSON.stringify(response, null, 2)],
    ['with its list first', JSON.stringify({ books: response.books, total: 2, tags: [{ id: 9 }] })],
  ])('%s contains records', async (_form, text) => {
    const records = await read(text);
    expect(records.map(({ value }) => value)).toEqual(values);
    expect(records.map(({ member }) => member)).toEqual(['books', 'books']);
  });

  it('returns the line on which each record begins', async () => {
    const records = await read(JSON.stringify(response, null, 2));
    expect(records.map(({ line }) => line)).toEqual([6, 9]);
  });

  it('may be empty', async () => {
    expect(await read('{"start":0,"count":0,"total":0,"books":[]}')).toEqual([]);
    expect(await read('{"start":0,\n"books":[\n]}\n')).toEqual([]);
  });

  it.each([
    ['on one line', undefined, ''],
    ['on one line that ends', undefined, '\n'],
    ['pretty-printed', 2, '\n'],
  ])('%s may have several lists', async (_form, indent, end) => {
    const text = JSON.stringify({ books: [{ id: 1 }], total: 2, users: [{ id: 2 }] }, null, indent);
    const records = await read(text + end);
    expect(records.map(({ member, value }) => ({ member, value }))).toEqual([
      { member: 'books', value: { id: 1 } },
      { member: 'users', value: { id: 2 } },
    ]);
  });

  it('may be followed by further pretty-printed responses', async () => {
    const text = [response, { id: 3 }, response].map((one) => JSON.stringify(one, null, 2));
    const records = await read(text.join('\n'));
    expect(records.map(({ member, value }) => ({ member, value }))).toEqual([
      ...values.map((value) => ({ member: 'books', value })),
      { member: undefined, value: { id: 3 } },
      ...values.map((value) => ({ member: 'books', value })),
    ]);
  });
});

it('reads concatenated objects without separators', async () => {
  expect(await read('{"id":1}{"id":2} {"id":3}\n{\n"id":4}{"id":5}')).toEqual([
    { line: 1, value: { id: 1 } },
    { line: 1, value: { id: 2 } },
    { line: 1, value: { id: 3 } },
    { line: 2, value: { id: 4 } },
    { line: 3, value: { id: 5 } },
  ]);
});

it.each([0, 2])('ignores brackets and quotes inside strings (indent %s)', async (indent) => {
  const value = {
    title: '} ] , { [ : "books":[{"id":9}] \\" \\\\',
    'books"': ['{'],
    '\\': '\\',
    lines: 'one\ntwo\r\n\u2028three\u0000',
    faces: '😀𠮷',
  };
  for (const text of [value, [value, value], { books: [value, value] }]) {
    const records = await read(JSON.stringify(text, null, indent));
    expect(records.map((record) => record.value)).toEqual(
      text === value ? [value] : [value, value],
    );
  }
});

it.each(['', '\n \n', '\ufeff'])('finds no records in a file of %j', async (text) => {
  expect(await read(text)).toEqual([]);
  expect(await read(gzipSync(text))).toEqual([]);
});

it('finds no records in an empty input', async () => {
  expect(await read()).toEqual([]);
});

it.each(['{"id":1}', '{"id":1}\n{"id":2}\n', '[{"id":1}]', '{"books":\n[{"id":1}]}'])(
  'ignores a byte order mark, and decompresses: %j',
  async (text) => {
    const plain = await read(text);
    expect(plain.map(({ error }) => error)).toEqual(plain.map(() => undefined));
    expect(plain.length).toBeGreaterThan(0);
    expect(await read(`\ufeff${text}`)).toEqual(plain);
    expect(await read(gzipSync(text))).toEqual(plain);
    expect(
      await read(Buffer.concat([gzipSync(text.slice(0, 5)), gzipSync(text.slice(5))])),
    ).toEqual(plain);
  },
);

describe('a truncated file', () => {
  it.each([
    ['in an object', '{\n"id": 1,\n"title": {', 3],
    ['in a string', '{\n"id": "x', 2],
    ['in an array', '[\n{"id":0},\n{"id"', 3],
    ['between the elements of a list', '{"books":\n[{"id":0},\n', 3],
  ])('%s is reported as truncated', async (_where, text, line) => {
    const records = await read(text);
    expect(records.filter(({ error }) => error !== undefined)).toEqual([
      { line, error: 'the file ends early' },
    ]);
  });

  it('returns the records before the truncation', async () => {
    const records = await read('[{"id":1},\n{"id":2},\n{"id":');
    expect(records.slice(0, 2).map(({ value }) => value)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(records).toHaveLength(3);
  });

  it('fails when it is compressed, because its content cannot be verified', async () => {
    const packed = gzipSync(lines('{"id":1}', '{"id":2}'));
    await expect(read(packed.subarray(0, -9))).rejects.toThrow(/unexpected end of file/);
  });
});

it('passes on errors of the input stream', async () => {
  const broken = Readable.from(
    (async function* () {
      yield await Promise.resolve(Buffer.from('{"id":1}\n'));
      throw new Error('the disk is gone');
    })(),
  );
  const records = readRecords(broken, MEMBERS);
  await expect(
    (async () => {
      for await (const { line } of records) expect(line).toBe(1);
    })(),
  ).rejects.toThrow('the disk is gone');
});
