import { onBehalfOf } from '../api/http/current-request';
import { type RequestContext } from '../api/http/request-context';
import { ClientPresence } from '../api/http/client-presence';
import { integers } from '../../test/bench/random';
import { UncheckedText } from '../api/writes/moderation';
import { Matcher } from './matcher';
import { TextSearch } from './text-search';
import { normalizedSlices } from './text-slices';

const holding = (words: readonly string[]): Matcher =>
  new Matcher(words.map((word) => ({ word, action: 'hold' })));

const WORDS = ['云间账号', '狐仓', 'grobnik', 'moon juice', 'ass'];
const matcher = holding(WORDS);

const find = async (text: string): Promise<string[]> =>
  (await new TextSearch(() => matcher).find(text)).map(({ word }) => word).sort();

/** Parts of texts: words, also disguised, and others that resemble them. */
const PARTS = [
  ...['云 间 账 号', '狐，仓', '狐 仓', 'g r o b n i k', 'gr0bn1k', 'mo0n juice', '@ss', 'a.s.s'],
  ...['class', 'assess', 'b!tass', 'moon and juice', 'grobniks', '1984', '三体', '，', '\n', ' '],
  ...['𠮷野家', '\u{1f980}', '㎯', 'grooooobnik', '2ass', 'x'.repeat(300), '中'.repeat(300)],
];

/** The context of a request from an address. */
const requestFrom = (addressKey: string): RequestContext =>
  ({ addressKey, presence: new ClientPresence() }) as RequestContext;

it('finds the same words in a long text as a search of the whole text', async () => {
  const below = integers(7);
  for (let round = 0; round < 60; round += 1) {
    const separator = ['', ' ', ', '][round % 3] as string;
    // Few of the parts, so that not all words occur in every text.
    const parts = Array.from({ length: 4 }, () => PARTS[below(PARTS.length)] as string);
    const text = Array.from({ length: 4000 }, () => parts[below(4)])
      .join(separator)
      .slice(0, 20_000);
    const whole = matcher.find(text).map(({ word }) => word);
    expect([text.slice(0, 200), await find(text)]).toEqual([text.slice(0, 200), whole.sort()]);
  }
});

it('finds a word at every position of a long text', async () => {
  const missed: number[] = [];
  for (let at = 0; at < 5000; at += 7) {
    const text = 'ab cd '.repeat(834).slice(0, at) + ' g r o b n i k ' + 'ef gh '.repeat(800);
    if ((await find(text)).join() !== 'grobnik') missed.push(at);
  }
  expect(missed).toEqual([]);
});

it.each([
  ['spaces', ' '],
  ['spaces and line breaks', ' \n'],
  ['invisible characters', '\ufff0'],
])('finds a word whose letters are separated by many %s', async (_, separator) => {
  const letters = Array.from('云间账号');
  expect(await find(letters.join(separator.repeat(2000)))).toEqual(['云间账号']);
});

it('does not find words in longer ones where a text is divided', async () => {
  expect(await find('classassessment'.repeat(1300))).toEqual([]);
  for (const separator of [' ', '\n', ',', ';', '-', '/', '.', '。'])
    for (const begin of ['', 'x', 'xx', 'xxx'])
      expect(await find(begin + `class${separator}`.repeat(1500))).toEqual([]);
});

it('divides texts whose characters are normalized to several into small slices', () => {
  for (const character of ['\u33af', '\ufdfa', 'a1 ', '\u{1f980}', ' ']) {
    const lengths = Array.from(normalizedSlices(character.repeat(50_000)), ({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4008);
    expect(lengths.length).toBeLessThanOrEqual(150);
  }
});

it('lets other work run while it searches a long text', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await find('\u33af'.repeat(49_900));
  isDone = true;
  expect(turns).toBeGreaterThan(40);
});

it('searches a text of another address before the further ones of the first', async () => {
  const search = new TextSearch(() => matcher);
  const done: string[] = [];
  const start = (address: string, name: string, text: string): Promise<unknown> =>
    onBehalfOf(requestFrom(address), () => search.find(text)).then(() => done.push(name));
  const long = Array.from({ length: 3 }, (_, at) => `${at} ${'ab cd '.repeat(8000)}`);
  const all = long.map((text, at) => start('one', `long ${at}`, text));
  all.push(start('two', 'short', 'ef gh '.repeat(300)));
  await Promise.all(all);
  expect(done[0]).toBe('short');
});

it('searches a text once while the words are the same', async () => {
  let words = holding(WORDS);
  const search = new TextSearch(() => words);
  const findIn = jest.spyOn(words, 'findIn');
  const text = `${'ab cd '.repeat(2000)} grobnik`;
  const first = await search.find(text);
  expect(first).toHaveLength(1);
  const { length } = findIn.mock.calls;
  // In a transaction, only results of earlier searches are known.
  expect(await search.find(text, { inTransaction: true })).toEqual(first);
  await expect(search.find(`${text}!`, { inTransaction: true })).rejects.toThrow(UncheckedText);
  expect(findIn.mock.calls).toHaveLength(length);
  words = holding(['other']);
  expect(await search.find(text)).toEqual([]);
});

it('searches again for words that are added during a search', async () => {
  let words = holding(['other']);
  const search = new TextSearch(() => words);
  const searching = search.find(`${'ab cd '.repeat(2000)} grobnik`);
  words = holding(WORDS);
  expect(await searching).toMatchObject([{ word: 'grobnik' }]);
});

it('stops when the client leaves', async () => {
  const request = requestFrom('one');
  const findIn = jest.spyOn(matcher, 'findIn');
  const searching = onBehalfOf(request, () =>
    new TextSearch(() => matcher).find('ab '.repeat(16_000)),
  );
  request.presence.leave();
  await expect(searching).rejects.toMatchObject({ status: 503 });
  expect(findIn.mock.calls.length).toBeLessThan(3);
});

it('rejects waiting texts of the address with the most beyond the limit, and not those of others', async () => {
  const search = new TextSearch(() => matcher, 200_000);
  const outcomes: string[] = [];
  const find = (address: string, text: string): Promise<unknown> =>
    onBehalfOf(requestFrom(address), () => search.find(text)).then(
      () => outcomes.push(`${address} found`),
      (error: unknown) => outcomes.push(`${address} ${(error as { status: number }).status}`),
    );
  const long = Array.from({ length: 6 }, (_, at) => find('one', `${at} ${'ab cd '.repeat(8000)}`));
  await Promise.all([...long, find('two', 'ef gh '.repeat(300))]);
  expect(outcomes.filter((outcome) => outcome === 'one 503')).toHaveLength(3);
  expect(outcomes).toContain('two found');
});
