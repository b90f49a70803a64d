import { note, reply } from './notes-records';
import { transferOfFile } from './open-transfer';
import { annotation, collection, review } from './records';
import { summary, type Wire } from './transfer';

const transfer = transferOfFile();

const without = (record: Wire, ...members: string[]): Wire =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !members.includes(name)));

describe('the last of several records of a file', () => {
  it.each<[string, Wire]>([
    ['collection', collection(5, 3, 7, {})],
    ['annotation', annotation(21, 3, 7, {})],
    ['review', review(31, 3, 7, {})],
    ['note', note(8, {})],
    ['note-reply', reply(6, 8, 'text', 3)],
  ])('is hidden if an earlier one is: %s', async (kind, record) => {
    await transfer.take(kind, [{ ...record, hidden: true }, record]);
    expect(await transfer.records(kind)).toEqual([{ ...record, hidden: true }]);
    const queued = await transfer.query(`SELECT kind FROM moderation_queue`);
    expect(queued).toEqual([{ kind: kind.replace('-', '_') }]);
  });

  it('has the author, and whether it has replies, of an earlier one: note', async () => {
    const full = note(8, { privacy: 'private', can_reply: false });
    await transfer.take('note', [full, without(full, 'author_id', 'can_reply')]);
    expect(await transfer.records('note')).toEqual([full]);
  });
});

it('a note keeps whether it has replies', async () => {
  const stored = note(8, { can_reply: false });
  await transfer.take('note', [stored]);
  const took = await transfer.take('note', [without(stored, 'can_reply')]);
  expect(took).toEqual(summary({ skipped: 1 }));
  const fresh = note(9, {});
  await transfer.take('note', [without(fresh, 'can_reply')]);
  expect(await transfer.records('note')).toEqual([stored, { ...fresh, can_reply: true }]);
});
