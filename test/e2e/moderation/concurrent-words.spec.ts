import { startHarness, type Harness } from '../../harness';
import { signedInAdministrator } from '../console/administrator';
import { hiddenFields, type Browser } from '../oauth/browser';
import { queuedBehind } from '../oauth/lock-row';
import { ban } from './words';

const WORD = `SELECT 1 FROM banned_words WHERE word = 'casino' FOR UPDATE`;

let harness: Harness;
let administrator: Browser;
let form_token: string;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'administrator');
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
