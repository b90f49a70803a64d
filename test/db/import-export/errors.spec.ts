import { randomHex } from '../../random';
import { annotation, book, collection, KINDS, RECORDS, review } from './records';
import { transferOfFile } from './open-transfer';
import { summary, toLines, type Wire } from './transfer';

const transfer = transferOfFile();

const user = (id: number, uid: string): Wire => ({
  id: String(id),
  uid,
  name: 'n',
  signature: '',
  avatar: '',
});
const GOOD: Readonly<Record<string, Wire>> = {
  user: user(3, 'ann'),
  book: book(7, { title: 't' }),
  collection: collection(5, 3, 7, {}),
  annotation: annotation(21, 3, 7, {}),
  review: review(31, 3, 7, {}),
};

describe('an invalid record', () => {
  it.each([
    ['"name":1e400', 'name must be a number below 2^53, not a number'],
    ['"name":-1e400', 'name must be a number below 2^53, not a number'],
    [`"more":${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'nested deeper than 32 levels'],
  ])('is reported: %.20s', async (member, reason) => {
    const content = `{"id":"3","uid":"ann",${member}}\n`;
    expect(await transfer.import('user', content)).toEqual({
      summary: summary({ failed: 1 }),
      faults: [expect.objectContaining({ reason })],
    });
  });

  it.each<[string, Wire, string]>([
    ['user', { name: undefined }, 'name is missing'],
    ['user', { name: 2 ** 53 }, 'name must be a number below 2^53, not a number'],
    ['user', { id: undefined }, 'id is missing'],
    ['user', { uid: 'a b' }, 'uid must be letters, digits, "-", "_" or ".", not dots only'],
    ['user', { uid: '..' }, 'uid must be letters, digits, "-", "_" or ".", not dots only'],
    ['user', { uid: '44' }, 'a uid of digits only must equal the id'],
    ['book', { title: '' }, 'title is missing'],
    ['book', { author: 'A' }, 'author must be a list, not a string'],
    ['collection', { status: 'lost' }, 'status must be wish, reading or read'],
    ['collection', { user_id: undefined }, 'user_id is missing'],
    ['collection', { book_id: undefined }, 'book_id is missing'],
    [
      'collection',
      { updated: 'today' },
      'updated must be a time like 2013-12-25 22:09:04, not a string',
    ],
    ['annotation', { content: '' }, 'content is missing'],
    ['annotation', { author_id: undefined }, 'author_id is missing'],
    ['annotation', { photos: [] }, 'photos must be an object, not a list'],
    ['review', { title: ' ' }, 'title is missing'],
    ['review', { votes: -1 }, 'votes must be an integer from 0 to 1000000000, not a number'],
    ['review', { book: 'b' }, 'book must be an object, not a string'],
    ['review', { title: -1e300 }, 'title must be a number below 2^53, not a number'],
  ])(
    'is reported, and the other records are imported: %s with %j: %s',
    async (kind, wrong, reason) => {
      const good = GOOD[kind];
      const content = toLines([{ ...good, ...wrong }, good]);
      expect(await transfer.import(kind, `\n${content}{\n`)).toEqual({
        summary: summary({ imported: 1, failed: 2 }),
        faults: [
          { file: 'file', line: 2, reason },
          { file: 'file', line: 4, reason: 'not valid JSON' },
        ],
      });
      expect(await transfer.records(kind)).toEqual([good]);
    },
  );

  it('is reported with its line number in a large file', async () => {
    const users = Array.from({ length: 1200 }, (_, at) => user(at + 1, `u${at}`));
    for (const line of [1, 500, 501, 777, 1200]) {
      users[line - 1] = { ...users[line - 1], name: '' };
    }
    const { summary: counts, faults } = await transfer.import('user', users);
    expect(counts).toEqual(summary({ imported: 1195, failed: 5 }));
    expect(faults.map(({ line }) => line)).toEqual([1, 500, 501, 777, 1200]);
    expect((await transfer.sizes()).users).toBe(1195);
  });

  it('is reported when it is not an object', async () => {
    const { summary: counts, faults } = await transfer.import('user', '[1, null, "x", [], {}]');
    expect(counts).toEqual(summary({ failed: 5 }));
    expect(faults.map(({ reason }) => reason)).toEqual([
      'a record must be an object, not a number',
      'a record must be an object, not null',
      'a record must be an object, not a string',
      'a record must be an object, not a list',
      'name is missing',
    ]);
  });
});

describe('a record that violates a constraint', () => {
  const many = (): Wire[] => Array.from({ length: 700 }, (_, at) => user(at + 10, `u${at}`));

  it('is reported, and the others are imported: a uid of another user', async () => {
    await transfer.take('user', [user(3, 'ann')]);
    const users = many();
    users.splice(3, 0, user(4, 'ann'));
    expect(await transfer.import('user', users)).toEqual({
      summary: summary({ imported: 700, failed: 1 }),
      faults: [{ file: 'file', line: 4, reason: 'Key (uid)=(ann) already exists.' }],
    });
    expect((await transfer.sizes()).users).toBe(701);
  });

  it('is reported, and the others are imported: a uid of two ids in the file', async () => {
    const users = [...many(), user(3, 'u5'), user(4, 'ann')];
    const { summary: counts, faults } = await transfer.import('user', users);
    expect(counts).toEqual(summary({ imported: 701, failed: 1 }));
    // Records with other keys are stored at the same time: either may be first.
    const [fault] = faults;
    expect([6, 701]).toContain(fault?.line);
    expect(faults).toEqual([{ ...fault, reason: 'Key (uid)=(u5) already exists.' }]);
  });

  it.each<[string, (long: string) => Wire]>([
    ['user', (long) => user(4, long)],
    ['book', (isbn13) => ({ ...GOOD.book, id: '8', isbn13 })],
    ['book', (name) => ({ ...GOOD.book, id: '8', tags: [{ name, count: 1 }] })],
    ['collection', (tag) => collection(6, 4, 7, { tags: [tag] })],
  ])(
    'is reported, and the others are imported: a %s with a word that is too long',
    async (kind, wrong) => {
      // Random, so that it cannot be compressed to less than an index takes.
      const long = Array.from({ length: 125 }, () => randomHex(128))
        .join('')
        .toUpperCase();
      const good = GOOD[kind] as Wire;
      const { summary: counts, faults } = await transfer.import(kind, [wrong(long), good]);
      expect(counts).toEqual(summary({ imported: 1, failed: 1 }));
      expect(faults.map(({ line }) => line)).toEqual([1]);
      expect(await transfer.records(kind)).toEqual([good]);
    },
  );
});

describe('a dry run', () => {
  const nothing = {
    users: 0,
    series: 0,
    books: 0,
    book_tags: 0,
    book_search: 0,
    collections: 0,
    annotations: 0,
    reviews: 0,
  };
  const last = (): Promise<unknown> =>
    transfer.query('SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename');

  it.each(KINDS)('of a %s counts what an import would do, and stores nothing', async (kind) => {
    const records = [...RECORDS[kind], {}];
    const before = await last();
    const dry = await transfer.import(kind, records, { dryRun: true });
    expect(await transfer.sizes()).toEqual(nothing);
    expect(await last()).toEqual(before);
    expect(await transfer.import(kind, records)).toEqual(dry);

    const stored = await transfer.export(kind);
    const changed = [{ ...RECORDS[kind][0], id: 2, uid: 'u', comment: 'x' }, ...records];
    const again = await transfer.import(kind, changed, { dryRun: true });
    expect(await transfer.export(kind)).toBe(stored);
    expect(await transfer.import(kind, changed)).toEqual(again);
  });

  it('counts a book without an id like an import', async () => {
    await transfer.take('book', [book(7, { title: 't', isbn10: '7536692935' })]);
    const books = [{ title: 'x', isbn13: '9787536692930' }, { title: 'new' }];
    const dry = await transfer.import('book', books, { dryRun: true });
    expect(dry.summary).toEqual(summary({ imported: 1, updated: 1 }));
    expect(await transfer.import('book', books)).toEqual(dry);
  });
});

describe('a list response', () => {
  it('is imported as the type that its list member names', async () => {
    const response = { start: 0, count: 1, total: 1, collections: [GOOD.collection] };
    expect((await transfer.import('book', JSON.stringify(response))).summary).toEqual(
      summary({ imported: 1 }),
    );
    expect(await transfer.records('collection')).toEqual([GOOD.collection]);
  });

  it('may have a different type on each line', async () => {
    const content = toLines([
      { books: [GOOD.book, { ...GOOD.book, id: '8' }] },
      GOOD.user,
      { annotations: [GOOD.annotation] },
      { reviews: [GOOD.review, {}] },
      { users: [user(4, 'bob')] },
    ]);
    expect(await transfer.import('user', content)).toEqual({
      summary: summary({ imported: 6, failed: 1 }),
      faults: [{ file: 'file', line: 4, reason: 'id is missing' }],
    });
    expect((await transfer.records('user')).map(({ uid }) => uid)).toEqual(['ann', 'bob']);
    expect(await transfer.records('annotation')).toEqual([GOOD.annotation]);
    expect(await transfer.records('book')).toHaveLength(2);
  });
});

describe('text', () => {
  it('loses only control characters', async () => {
    const [nul, stored] = ['a\u0000b\u0007c\u007f', '  a  b\t\r\n 😀 \u3000'];
    await transfer.take('book', [
      { ...GOOD.book, title: nul, summary: stored, author: [nul, stored] },
    ]);
    await transfer.take('annotation', [{ ...GOOD.annotation, content: stored, chapter: nul }]);
    expect(await transfer.records('book')).toMatchObject([
      { title: 'abc', summary: stored, author: ['abc', stored] },
    ]);
    expect(await transfer.records('annotation')).toMatchObject([
      { content: stored, chapter: 'abc' },
    ]);
  });

  it('of unknown members is ignored', async () => {
    for (const kind of KINDS) {
      const more = { alt: 'http://x', url: 5, unknown: { id: 1 }, abstract: null, hasmath: false };
      expect(await transfer.take(kind, [{ ...GOOD[kind], ...more }])).toEqual(
        summary({ imported: 1 }),
      );
      expect(await transfer.records(kind)).toEqual([GOOD[kind]]);
    }
  });
});

it('has a list of the record types', async () => {
  await expect(transfer.import('magazine', '{}')).rejects.toThrow(
    /^unknown record type: magazine; existing types: user, book, collection, annotation, review, /,
  );
  await expect(transfer.export('magazine')).rejects.toThrow(/^unknown record type: magazine;/);
});
