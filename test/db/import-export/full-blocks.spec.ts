import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { FullHandlers } from '../../../src/import-export/full/full-handlers';
import { besideTransaction } from '../../until-blocked';
import { FullTransfer } from './full';
import { review } from './records';

let first: FullTransfer;
let second: FullTransfer;
beforeEach(async () => {
  first = await FullTransfer.open();
  second = await FullTransfer.open();
  for (const { transfer } of [first, second]) {
    // The author becomes a placeholder, at the same time in both.
    await transfer.take('review', [review(31, 3, 7, {})]);
    await transfer.query(`UPDATE users SET created_at = '2024-12-31' WHERE id = 3`);
  }
});
afterEach(() => Promise.all([first.close(), second.close()]));

const BLOCK = `UPDATE users SET blocked_at = '2025-01-01', blocked_reason = 'here',
  blocked_until = '2999-12-31' WHERE id = 3`;
const BLOCKED = { blocked: true, blocked_reason: 'here', blocked_until: '2999-12-31' };
const blocks = (): Promise<unknown[]> =>
  second.query(
    `SELECT blocked_at IS NOT NULL AS blocked, blocked_reason, blocked_until::text, placeholder
     FROM users WHERE id = 3`,
  );
const haveUser = () => first.transfer.take('user', [{ id: '3', uid: 'ann', name: 'Ann' }]);

it('a full import keeps the block of a placeholder', async () => {
  await second.query(BLOCK);
  const progress = await second.import(await first.export('out'));
  expect(await blocks()).toEqual([{ ...BLOCKED, placeholder: true }]);
  const placeholders = progress.find(({ kind }) => kind === 'user-placeholder');
  expect(placeholders).toMatchObject({ updated: 0 });
});

it('a full import of an earlier export of the same service keeps the block of a placeholder', async () => {
  const folder = await second.export('own');
  await second.query(BLOCK);
  await second.import(folder);
  expect(await blocks()).toEqual([{ ...BLOCKED, placeholder: true }]);
});

it('a full import keeps the block of a placeholder that becomes a user', async () => {
  await haveUser();
  await second.query(BLOCK);
  await second.import(await first.export('out'));
  expect(await blocks()).toEqual([{ ...BLOCKED, placeholder: false }]);
});

it.each(['placeholder', 'user'])(
  'a full import blocks a placeholder that is a blocked %s in the file',
  async (kind) => {
    if (kind === 'user') await haveUser();
    await first.query(BLOCK);
    await second.import(await first.export('out'));
    expect(await blocks()).toEqual([{ ...BLOCKED, placeholder: kind === 'placeholder' }]);
  },
);

it.each(['user-placeholder', 'user'])(
  'a full import of a %s keeps the block that an administrator makes at the same time',
  async (name) => {
    const handler = new FullHandlers(new RecordHandlers(), second.storage).named(name);
    const created_at = '2025-01-01T00:00:00+00:00';
    const row = { id: '3', uid: 'ann', name: 'Ann', signature: '', avatar: '', created_at };
    const record = name === 'user' ? { ...row, extra: { created_at } } : row;
    await besideTransaction(second.opened.source, [[BLOCK]], () =>
      second.transfer.take(handler, [record]),
    );
    expect(await blocks()).toEqual([{ ...BLOCKED, placeholder: name !== 'user' }]);
  },
);

it.each(['b\u0000ob', 'b\ud800ob'])(
  'a placeholder whose uid cannot be stored (%j) does not end a full import',
  async (uid) => {
    const handler = new FullHandlers(new RecordHandlers(), second.storage).named(
      'user-placeholder',
    );
    const created_at = '2025-01-01T00:00:00+00:00';
    const row = { name: 'Bob', signature: '', avatar: '', created_at };
    const records = [
      { ...row, id: '8', uid },
      { ...row, id: '9', uid: 'bob' },
    ];
    const { summary } = await second.transfer.import(handler, records);
    expect(summary).toMatchObject({ imported: 1, failed: 1 });
  },
);
