import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readDump } from '../open-library/dump';
import { MAX_RECORD_BYTES } from './record-limits';
import { readRecords, type RawRecord } from './record-stream';

const MEMBERS = new Set(['books', 'users']);
const TOO_LONG = 'longer than 16 MB';

type Pieces = readonly (string | Buffer)[];

/** Bytes in chunks like those of files. */
function* chunks(pieces: Pieces, size = 65_536): Generator<Buffer> {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(...pieces: Pieces): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const record of readRecords(Readable.from(chunks(pieces)), MEMBERS)) {
    records.push(record);
  }
  return records;
}

/** Errors by line. */
const faultsOf = (records: readonly RawRecord[]): (readonly [number, string])[] =>
  records.flatMap(({ line, error }) => (error === undefined ? [] : [[line, error] as const]));
const idsOf = (records: readonly RawRecord[]): unknown[] =>
  records.flatMap(({ value }) => (value as { id?: unknown } | undefined)?.id ?? []);

const long = (bytes: number): Buffer => Buffer.alloc(bytes, 'a');
const LONG = long(MAX_RECORD_BYTES + 1);

describe('a record of more than 16 MB', () => {
  const object = ['{"id":9,"title":"', LONG, '"}'];

  it.each<[string, Pieces, number, unknown[]]>([
    ['a line among others', ['{"id":1}\n', ...object, '\n{"id":3}\n'], 2, [1, 3]],
    ['the first line', [...object, '\n{"id":2}\n{"id":3}\n'], 1, [2, 3]],
    ['the last line, unended', ['{"id":1}\n{"id":2}\n', ...object], 3, [1, 2]],
    ['an element of an array', ['[{"id":1},\n', ...object, ',\n{"id":3}]'], 2, [1, 3]],
    ['an element on one line', ['[{"id":1},', ...object, ',{"id":3}]'], 1, [1, 3]],
    ['of a list response', ['{"total":3,\n"books":[{"id":1},', ...object, ']}'], 2, [1]],
    ['pretty-printed', ['{\n"id":9,\n"title":"', LONG, '",\n"a":[{}]\n}\n{\n"id":2\n}\n'], 1, [2]],
    ['in many lines', ['[\n{"id":9,"a":[\n', `${'1,\n'.repeat(6_000_000)}1]},\n{"id":2}]`], 2, [2]],
  ])('fails alone, and the records around it are read: %s', async (_form, pieces, line, ids) => {
    const records = await read(...pieces);
    expect(faultsOf(records)).toEqual([[line, TOO_LONG]]);
    expect(idsOf(records)).toEqual(ids);
  });

  it.each<[string, Pieces, number]>([
    ['no JSON at all', [LONG, '\n{"id":2}\n{"bad\n{"id":4}\n'], 1],
    ['brackets that nothing closes', ['{'.repeat(20_000_000), '\n{"id":2}\n{"bad\n{"id":4}'], 1],
    ['a list that nothing closes', ['["id', LONG, '\n{"id":2}\n{"bad\n{"id":4}\n'], 1],
    ['a string that nothing closes', ['{"id":"', LONG, '\n{"id":2}\n{"bad\n{"id":4}\n'], 1],
  ])('fails to the end of its line when its end is unclear: %s', async (_form, pieces, line) => {
    const records = await read(...pieces);
    expect(faultsOf(records)[0]).toEqual([line, TOO_LONG]);
    expect(idsOf(records)).toContain(2);
  });

  it('fails in an Open Library dump', async () => {
    const row = (json: string | Buffer): Pieces => [
      '/type/work\t/works/OL1W\t1\t2020\t',
      json,
      '\n',
    ];
    const input = chunks([...row('{"a":1}'), ...row(LONG), ...row('{"a":3}')]);
    const lines = [];
    for await (const one of readDump(Readable.from(input), 'work')) lines.push(one);
    expect(lines).toMatchObject([{ line: 1 }, { line: 2, error: TOO_LONG }, { line: 3 }]);
  });

  it('of exactly 16 MB is read', async () => {
    const recordLength = '{"id":1,"title":""}'.length;
    const json = ['{"id":1,"title":"', long(MAX_RECORD_BYTES - recordLength), '"}'];
    for (const end of ['\n{"id":2}\n']) {
      const records = await read(...json, end);
      expect(faultsOf(records)).toEqual([]);
      expect(records[0]?.value).toHaveProperty('title.length', MAX_RECORD_BYTES - recordLength);
    }
  });
});

it('rejects a record of more than a million values', async () => {
  const values = (count: number): string => `{"id":1,"a":[${'0,'.repeat(count - 4)}0]}`;
  expect(faultsOf(await read(values(1_000_001), '\n{"id":2}\n'))).toEqual([
    [1, 'more than 1000000 values'],
  ]);
  expect(faultsOf(await read(values(999_999), '\n{"id":2}\n'))).toEqual([]);
});

const bytes = fc.constantFrom(1, 7, 64, 4096, 65_536);

it('returns the same records for chunks of any size, long lines included', async () => {
  const line = fc.record({ id: fc.nat(), fill: fc.nat({ max: 200_000 }), bad: fc.boolean() });
  const file = fc.array(line, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(file, bytes, fc.boolean(), async (lines, size, pretty) => {
      const texts = lines.map(({ id, fill, bad }) => {
        const text = JSON.stringify({ id, fill: '三'.repeat(fill / 3) }, null, pretty ? 1 : 0);
        return bad && !pretty ? text.slice(0, -1) : text;
      });
      const bytes = Buffer.from(`${texts.join('\n')}\n`);
      const found: RawRecord[] = [];
      // Single bytes only of small files: each chunk is an event.
      const least = bytes.length > 10_000 ? 4096 : 1;
      const input = Readable.from(chunks([bytes], Math.max(size, least)));
      for await (const record of readRecords(input, MEMBERS)) found.push(record);
      if (pretty || !lines.some(({ bad }) => bad)) {
        expect(idsOf(found)).toEqual(lines.map(({ id }) => id));
      }
      expect(found).toEqual(await read(bytes));
    }),
    { numRuns: 25 },
  );
});

it('scans each byte of a long line once, also in small chunks', async () => {
  // Reading what was pending again with each chunk took 4,000 times as many bytes.
  const text = Buffer.concat([Buffer.from('{"id":1}\n{"id":2,"t":"'), long(4_000_000)]);
  const ended = Buffer.concat([text, Buffer.from('"}\n{"id":3}\n')]);
  let copied = 0;
  const original = Buffer.concat.bind(Buffer);
  const spy = jest.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
    for (const one of list) copied += one.length;
    return original(list, length);
  });
  try {
    const records: RawRecord[] = [];
    for await (const record of readRecords(Readable.from(chunks([ended], 1000)), MEMBERS)) {
      records.push(record);
    }
    expect(idsOf(records)).toEqual([1, 2, 3]);
  } finally {
    spy.mockRestore();
  }
  expect(copied).toBeLessThan(3 * ended.length);
});

describe('a file that is not UTF-8', () => {
  const GBK = Buffer.from('{"id":1,"title":"', 'latin1');
  // "红楼梦" in GBK.
  const TITLE = Buffer.from([0xba, 0xec, 0xc2, 0xa5, 0xc3, 0xce]);
  const gbkLine = Buffer.concat([GBK, TITLE, Buffer.from('"}\n')]);

  it.each<[string, Buffer]>([
    ['UTF-16LE', Buffer.from('\ufeff{"id":1}\n{"id":2}\n', 'utf16le')],
    ['UTF-16LE', Buffer.from('{"id":1}', 'utf16le')],
    ['UTF-16BE', Buffer.from('\ufeff[{"id":1}]', 'utf16le').swap16()],
    ['UTF-16BE', Buffer.from('[{"id":1}]', 'utf16le').swap16()],
    ['UTF-32LE', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
    ['UTF-32BE', Buffer.from([0, 0, 0, 0x7b, 0, 0, 0, 0x7d])],
    ['GBK', gbkLine],
    ['GBK', Buffer.concat([gbkLine, gbkLine, gbkLine])],
    ['GBK', Buffer.concat([Buffer.from('[\n'), gbkLine, Buffer.from(']')])],
  ])('is rejected, and the error names the encoding: %s', async (name, content) => {
    const message = new RegExp(`the file is encoded in ${name}; .*iconv -f `);
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(gzipSync(content))).rejects.toThrow(message);
  });

  it('is rejected when it is an Open Library dump', async () => {
    const dump = readDump(Readable.from([Buffer.from('/type/work\t', 'utf16le')]), 'work');
    await expect(dump.next()).rejects.toThrow('the file is encoded in UTF-16LE');
  });

  it.each<[string, Buffer]>([
    ['Latin-1', Buffer.from('{"id":2,"title":"caf\xe9s"}', 'latin1')],
    ['GBK', gbkLine.subarray(0, -1)],
    ['bytes that are nothing', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('in one line only fails for that line (%s)', async (_name, line) => {
    const end = Buffer.from('\n');
    const good = (id: number): Buffer => Buffer.from(`{"id":${id},"title":"红楼梦"}\n`);
    const records = await read(good(1), line, end, good(3), good(4));
    expect(faultsOf(records)).toEqual([[2, 'not valid UTF-8']]);
    expect(idsOf(records)).toEqual([1, 3, 4]);
    const first = await read(line, end, '{"id":2}\n{"id":3}\n', good(4));
    expect(faultsOf(first)).toEqual([[1, 'not valid UTF-8']]);
    expect(idsOf(first)).toEqual([2, 3, 4]);
  });

  it('in single array elements fails for those elements', async () => {
    const bad = Buffer.from('{"id":2,"title":"\xe9"}', 'latin1');
    const records = await read('[{"id":1,"title":"红楼梦"},\n', bad, ',\n{"id":3}]');
    expect(faultsOf(records)).toEqual([[2, 'not valid UTF-8']]);
    expect(idsOf(records)).toEqual([1, 3]);
  });

  it('is not suspected when the inspected part ends within a UTF-8 character', async () => {
    const title = '红'.repeat(700_000);
    for (const shift of ['', 'a', 'ab']) {
      const [record] = await read(JSON.stringify({ id: 1, title: shift + title }));
      expect(record?.error).toBeUndefined();
    }
  });
});

it('accepts a byte order mark between concatenated files', async () => {
  expect(idsOf(await read('\ufeff{"id":1}\n{"id":2}\n\ufeff{"id":3}\n'))).toEqual([1, 2, 3]);
});
