import { openTestDatabase, type TestDatabase } from '../../harness';
import { besideTransaction } from '../../until-blocked';
import { EVENTS } from './events-records';
import { note } from './notes-records';
import { annotation, collection } from './records';
import { summary, Transfer, type Wire } from './transfer';

const transfer = new Transfer();
let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  transfer.connect(opened.database);
});
afterAll(() => opened.close());
beforeEach(() => transfer.clear());

const withoutPrivacy = ({ privacy: _privacy, ...record }: Wire): Wire => record;

describe.each<[string, Wire, Wire, string, string]>([
  [
    'collection',
    collection(5, 3, 7, { privacy: 'private' }),
    collection(5, 3, 7, {}),
    'SELECT 1 FROM books WHERE id = 7 FOR NO KEY UPDATE',
    'UPDATE collections SET private = true',
  ],
  [
    'annotation',
    annotation(21, 3, 7, { privacy: 1 }),
    annotation(21, 3, 7, {}),
    'SELECT 1',
    'UPDATE annotations SET private = true',
  ],
  [
    'note',
    note(8, { privacy: 'friend' }),
    note(8, {}),
    'SELECT 1',
    `UPDATE notes SET privacy = 'friend'`,
  ],
])('a record without privacy: %s', (kind, hidden, open, lock, hide) => {
  it('keeps the stored privacy', async () => {
    await transfer.take(kind, [hidden]);
    const before = await transfer.export(kind);
    for (const privacy of [undefined, null, '']) {
      const record = { ...hidden, privacy };
      expect(await transfer.take(kind, [record])).toEqual(summary({ skipped: 1 }));
    }
    expect(await transfer.export(kind)).toBe(before);
  });

  it('is public if it is new', async () => {
    await transfer.take(kind, [withoutPrivacy(hidden)]);
    expect(await transfer.records(kind)).toEqual([open]);
  });

  it('keeps the privacy of an earlier record of the file', async () => {
    await transfer.take(kind, [hidden, { ...withoutPrivacy(hidden), photos: {} }]);
    expect(await transfer.records(kind)).toMatchObject([{ privacy: hidden.privacy }]);
  });

  it('keeps the privacy that a user sets while it is imported', async () => {
    await transfer.take(kind, [open]);
    const changed = { ...withoutPrivacy(open), content: 'new', comment: 'new' };
    const took = await besideTransaction(opened.source, [[lock], [hide]], () =>
      transfer.take(kind, [changed]),
    );
    expect(took).toEqual(summary({ updated: 1 }));
    expect(await transfer.records(kind)).toMatchObject([{ privacy: hidden.privacy }]);
  });
});

const INSERT_PRIVATE = `INSERT INTO collections (user_id, book_id, status, private)
  VALUES (3, 7, 'wish', true)`;

it('a collection that a user creates while it is imported keeps its privacy', async () => {
  await transfer.take('collection', [collection(4, 2, 7, {}), collection(5, 3, 8, {})]);
  const lock = 'SELECT 1 FROM books WHERE id = 7 FOR NO KEY UPDATE';
  const took = await besideTransaction(opened.source, [[lock], [INSERT_PRIVATE]], () =>
    transfer.take('collection', [withoutPrivacy(collection(9, 3, 7, {}))]),
  );
  expect(took).toEqual(summary({ updated: 1 }));
  const stored = await transfer.records('collection');
  expect(stored.find((one) => one.user_id === '3' && one.book_id === '7')).toMatchObject({
    privacy: 'private',
  });
});

it('a collection that another import stores with its book at the same time keeps its privacy', async () => {
  await transfer.take('collection', [collection(4, 3, 8, {})]);
  const insert = `INSERT INTO books (id, title, placeholder) OVERRIDING SYSTEM VALUE
    VALUES (7, '', true)`;
  const took = await besideTransaction(opened.source, [[insert], [INSERT_PRIVATE]], () =>
    transfer.take('collection', [withoutPrivacy(collection(9, 3, 7, {}))]),
  );
  expect(took).toEqual(summary({ updated: 1 }));
  const stored = await transfer.records('collection');
  expect(stored.find((one) => one.book_id === '7')).toMatchObject({ privacy: 'private' });
});

it('an event keeps the privacy and invitations that another import stores at the same time', async () => {
  const stored: Wire = { ...EVENTS[1] };
  await transfer.take('event', [stored]);
  const { is_priv: _priv, can_invite: _can, invited: _invited, ...changed } = stored;
  const hide = 'UPDATE events SET private = true';
  const took = await besideTransaction(opened.source, [[hide]], () =>
    transfer.take('event', [{ ...changed, title: 'new' }]),
  );
  expect(took).toEqual(summary({ updated: 1 }));
  expect(await transfer.query('SELECT private, title FROM events')).toEqual([
    { private: true, title: 'new' },
  ]);
});

it.each(['0', 0, 3, 'private', true])(
  'rejects %p as the privacy of an annotation',
  async (privacy) => {
    const { faults } = await transfer.import('annotation', [annotation(21, 3, 7, { privacy })]);
    expect(faults).toMatchObject([
      { reason: expect.stringMatching(/^privacy must be /) as string },
    ]);
    expect(await transfer.records('annotation')).toEqual([]);
  },
);
