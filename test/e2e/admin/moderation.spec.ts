import { WordList } from '../../../src/moderation/word-list';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aWriter, changesOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

describe('banned words', () => {
  it('201, 202, 204: are created, updated and deleted, with audit entries', async () => {
    const added = await admin.post('/words', { words: ['moonjuice', '云间'], action: 'refuse' });
    expect([added.status, added.body]).toEqual([201, { added: 2, changed: 0, unchanged: 0 }]);
    const words = async () => (await admin.get('/words')).body.words;
    const [{ id, word, created_by }] = await words();
    expect(created_by).toBe(admin.uid);
    const changed = await admin.put(`/words/${id}`, { action: 'hold' });
    expect([changed.status, changed.body.changed]).toEqual([202, 1]);
    expect((await admin.get('/words?action=hold')).body.total).toBe(1);
    expect((await admin.remove(`/words/${id}`)).status).toBe(204);
    expect(await words()).toHaveLength(1);
    expect(await changesOf(admin, 'word', word)).toMatchObject([
      { action: 'word.remove', before: { words: { [word]: 'hold' } }, after: null },
      { action: 'word.add', before: { words: { [word]: 'refuse' } } },
    ]);
  });

  it('400 and 404: rejects words that cannot be searched for, and unknown words', async () => {
    const total = async () => (await admin.get('/words')).body.total;
    const before = await total();
    for (const words of [['fine', '!!!'], 'x', [{}], []]) {
      expect((await admin.post('/words', { words, action: 'hold' })).status).toBe(400);
    }
    expect(await total()).toBe(before);
    expect((await admin.put('/words/4711', { action: 'hold' })).body.code).toBe(1001);
    expect((await admin.remove('/words/4711')).body.code).toBe(1001);
  });
});

describe('texts in the moderation queue', () => {
  it('200: are released or rejected once, with an audit entry', async () => {
    await admin.post('/words', { words: ['heldword'], action: 'hold' });
    const writer = await aWriter(harness);
    const queueEntry = async () =>
      (await admin.get('/moderation/queue?count=100')).body.queue.filter(
        ({ user_id }: { user_id: string }) => user_id === String(writer.id),
      );
    // Servers are notified of words a moment later.
    await harness.app.get(WordList, { strict: false }).read();
    const fields = { status: 'read', comment: 'a heldword' };
    await writer.post(`/v2/book/${await make.aBook()}/collection`, fields);
    const [{ id, words }] = await queueEntry();
    expect(words).toEqual(['heldword']);
    const rejected = await admin.post(`/moderation/queue/${id}/reject`);
    expect([rejected.status, rejected.body.state, rejected.body.decided_by]).toEqual([
      200,
      'rejected',
      admin.uid,
    ]);
    expect((await admin.post(`/moderation/queue/${id}/reject`)).status).toBe(400);
    expect((await admin.post(`/moderation/queue/${id}/release`)).body.state).toBe('released');
    expect((await changesOf(admin, 'moderation', id)).map(({ action }) => action)).toEqual([
      'moderation.release',
      'moderation.reject',
    ]);
  });
});
