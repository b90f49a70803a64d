import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { besideTransaction } from '../../until-blocked';
import { writer } from '../books/writes';
import { ban } from './words';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await ban(harness, 'hold', 'casino');
});
afterAll(() => harness.close());

it('202: an edit with a banned word while an import stores an open entry of the text', async () => {
  const make = new Factories(harness.database);
  const author = await writer(harness, (await make.aUser()).id);
  const book = await make.aBook();
  const path = `/v2/book/${book}/collection`;
  const { body } = await author.post(path, { status: 'read' });
  const insert = `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
    VALUES ('collection', $1, $2, '{}', 'imported')`;
  const edit = await besideTransaction(harness.source, [[insert, [body.id, author.id]]], () =>
    author.put(path, { status: 'read', comment: 'casino' }),
  );
  expect(edit.status).toBe(202);
  const entries: unknown = await harness.source.query(
    'SELECT words, excerpt FROM moderation_queue WHERE decision IS NULL',
  );
  expect(entries).toEqual([{ words: ['casino'], excerpt: 'comment: casino' }]);
});
