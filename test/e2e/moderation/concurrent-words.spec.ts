import { startHarness, type Harness } from '../../harness';
import { besideTransaction } from '../../until-blocked';
import { anAdministrator, type Administrator } from '../admin/administrators';
import { signedInAdministrator } from '../console/administrator';
import { hiddenFields, type Browser } from '../oauth/browser';
import { queuedBehind } from '../oauth/lock-row';
import { ban } from './words';

const WORD = `SELECT 1 FROM banned_words WHERE word = 'casino' FOR UPDATE`;

let harness: Harness;
let administrator: Browser;
let form_token: string;
let api: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'administrator');
  api = await anAdministrator(harness);
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
});
afterAll(() => harness.close());

it('each of two concurrent changes of a word has an audit entry, also with other words', async () => {
  await ban(harness, 'refuse', 'casino');
  const add = (words: string, action: string): ReturnType<Browser['post']> =>
    administrator.post('/admin/words/add', { form_token, words, action });
  await queuedBehind(
    harness.url,
    WORD,
    [],
    [() => add('casino', 'hold'), () => add('casino\npoker', 'refuse')],
  );
  const entries: { before: object | null; after: object }[] = await harness.source.query(
    `SELECT before, after FROM audit_log WHERE target_kind = 'word' ORDER BY id`,
  );
  expect(entries).toEqual([
    { before: { words: { casino: 'refuse' } }, after: { words: { casino: 'hold' } } },
    {
      before: { words: { casino: 'hold' } },
      after: { words: { casino: 'refuse', poker: 'refuse' } },
    },
  ]);
});

describe('a word that is deleted at the same time', () => {
  const DELETE = 'DELETE FROM banned_words WHERE id = $1';
  const ADD = `INSERT INTO banned_words (word, folded, action, created_by)
    VALUES ($1, $1, 'hold', 'test')`;
  const idOf = async (word: string): Promise<number | undefined> => {
    const [row] = await harness.source.query<{ id: number }[]>(
      'SELECT id::int AS id FROM banned_words WHERE word = $1',
      [word],
    );
    return row?.id;
  };

  it('404: is not created again by a change of its action (1001)', async () => {
    await ban(harness, 'refuse', 'roulette');
    const id = await idOf('roulette');
    const { status, body } = await besideTransaction(harness.source, [[DELETE, [id]]], () =>
      api.put(`/words/${id}`, { action: 'hold' }),
    );
    expect([status, body.code, await idOf('roulette')]).toEqual([404, 1001, undefined]);
  });

  it('404: a deletion by its id spares a new word with the same text (1001)', async () => {
    await ban(harness, 'refuse', 'baccarat');
    const id = await idOf('baccarat');
    // A deletion by the text alone would wait for the first row, and then succeed.
    const { status, body } = await besideTransaction(
      harness.source,
      [
        [DELETE, [id]],
        [ADD, ['baccarat']],
      ],
      () => api.remove(`/words/${id}`),
    );
    expect([status, body.code]).toEqual([404, 1001]);
    expect(await idOf('baccarat')).toBeGreaterThan(Number(id));
  });
});
