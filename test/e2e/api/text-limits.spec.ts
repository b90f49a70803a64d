import { MAX_CONTENT, MAX_LINE, MAX_REPLY } from '../../../src/api/input/text-limits';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer, type Fields, type Writer } from '../books/writes';

/** One code point, of two UTF-16 units. */
const CHARACTER = '𠮷';

let harness: Harness;
let user: Writer;
let book: number;
let note: number;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
  book = await make.aBook();
  const { body } = await user.post('/v2/notes', { title: 'x', content: 'x' });
  note = Number(body.id);
});
afterAll(() => harness.close());

interface Limited {
  readonly name: string;
  readonly path: () => string;
  /** The limited field, and what has to be there besides. */
  readonly field: string;
  readonly others: () => Fields;
  readonly limit: number;
  readonly code: number;
}

const LIMITED: readonly Limited[] = [
  {
    name: 'content of an annotation',
    path: () => `/v2/book/${book}/annotations`,
    field: 'content',
    others: () => ({ page: 1 }),
    limit: MAX_CONTENT,
    code: 1005,
  },
  {
    name: 'content of a review',
    path: () => '/v2/book/reviews',
    field: 'content',
    others: () => ({ title: 'x', book }),
    limit: MAX_CONTENT,
    code: 6004,
  },
  {
    name: 'title of a review',
    path: () => '/v2/book/reviews',
    field: 'title',
    others: () => ({ content: CHARACTER.repeat(151), book }),
    limit: MAX_LINE,
    code: 999,
  },
  {
    name: 'content of a note',
    path: () => '/v2/notes',
    field: 'content',
    others: () => ({ title: 'x' }),
    limit: MAX_CONTENT,
    code: 999,
  },
  {
    name: 'title of a note',
    path: () => '/v2/notes',
    field: 'title',
    others: () => ({ content: 'x' }),
    limit: MAX_LINE,
    code: 999,
  },
  {
    name: 'content of a reply',
    path: () => `/v2/note/${note}/comments`,
    field: 'content',
    others: () => ({}),
    limit: MAX_REPLY,
    code: 999,
  },
];

describe('upper limits of texts (D41)', () => {
  it.each(LIMITED)('$name: $limit code points are accepted', async (limited) => {
    const { path, field, others, limit } = limited;
    const text = CHARACTER.repeat(limit);
    const { status, body } = await user.post(path(), { ...others(), [field]: text });
    expect([status, body.code]).toEqual([201, undefined]);
    expect(body[field]).toBe(text);
  });

  it.each(LIMITED)('$name: one more is $code', async (limited) => {
    const { path, field, others, limit, code } = limited;
    const text = CHARACTER.repeat(limit + 1);
    const { status, body } = await user.post(path(), { ...others(), [field]: text });
    expect([status, body.code]).toEqual([400, code]);
  });
});
