import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRecords, type RawRecord } from './record-stream';

const MEMBERS = new Set(['books', 'users']);

async function read(pieces: readonly Buffer[]): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const record of readRecords(Readable.from(pieces), MEMBERS)) records.push(record);
  return records;
}

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length];
  let begin = 0;
  return ends
    .sort((one, other) => one - other)
    .map((end) => {
      const piece = bytes.subarray(begin, end);
      begin = end;
      return piece;
    })
    .filter((piece) => piece.length > 0);
};

const TEXT = '{"id":1,"title":"é三😀\\"]}"}';
const FILES = {
  'an object': TEXT,
  'a pretty object': JSON.stringify(JSON.parse(TEXT), null, 1),
  'an array': `[${TEXT},\n${TEXT}]`,
  'a record a line': `${TEXT}\n\n${TEXT}\n{"bad\n${TEXT}`,
  'a list response': `{"start":0,\n"books":[${TEXT},${TEXT}],"total":2}`,
  'a list response a line': `{"books":[${TEXT}]}\n{"users":[${TEXT},${TEXT}]}\n`,
  'objects in a row': `${TEXT}${TEXT}`,
};

describe.each(Object.entries(FILES))('%s', (_name, text) => {
  it('returns the same records when its bytes are split at any position', async () => {
    const bytes = Buffer.from(text);
    const expected = await read([bytes]);
    expect(expected.length).toBeGreaterThan(0);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await read(cut(bytes, [at]))).toEqual(expected);
    }
  });

  it('returns the same records when it arrives byte by byte', async () => {
    const bytes = Buffer.from(text);
    const single = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await read(single)).toEqual(await read([bytes]));
  });
});

it('recognises gzip when its bytes are split at any position', async () => {
  const text = FILES['a record a line'];
  const packed = gzipSync(text);
  const expected = await read([Buffer.from(text)]);
  for (let at = 1; at < packed.length; at += 1) {
    expect(await read(cut(packed, [at]))).toEqual(expected);
  }
});

const awkward = fc.string({
  unit: fc.constantFrom('a', '{', '}', '[', ']', '"', '\\', ',', ':', '\n', ' ', '三', '😀'),
  maxLength: 8,
});
const inner = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    awkward,
    fc.integer(),
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const record = fc.record({ id: fc.integer(), title: awkward, more: inner });
const indent = fc.constantFrom(0, 2);

/** The text of a file in one of its forms, and the records in it. */
const file = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 4 }), indent)
  .chain(([records, space]) =>
    fc.tuple(
      fc.constant(records),
      fc.constantFrom(
        JSON.stringify(records, null, space),
        JSON.stringify({ start: 0, books: records, total: records.length }, null, space),
        JSON.stringify({ title: '"books":[', users: records }, null, space),
        records.map((one) => JSON.stringify(one, null, space)).join('\n'),
        `${records.map((one) => JSON.stringify(one)).join('\n')}\n`,
      ),
    ),
  );

it('reads all forms in chunks of any size, plain and compressed (property test)', async () => {
  const places = fc.array(fc.nat({ max: 10_000 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(file, places, fc.boolean(), async ([records, text], at, packed) => {
      const bytes = packed ? gzipSync(text) : Buffer.from(text);
      const found = await read(cut(bytes, at));
      expect(found.map(({ value }) => value)).toEqual(records);
    }),
    { numRuns: 300 },
  );
});
