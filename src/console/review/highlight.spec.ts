import { html } from '../../web/html';
import { Matcher } from '../../moderation/matcher';
import { highlighted, highlightedTexts } from './highlight';

const shown = (text: string, ...words: string[]): string => html`${highlighted(text, words)}`.text;

it.each([
  ['the CASINO, a c asino', ['casino'], 'the <mark>CASINO</mark>, a <mark>c asino</mark>'],
  ['an ｃａｓｉｎｏ <b>', ['casino'], 'an <mark>ｃａｓｉｎｏ</mark> &lt;b&gt;'],
  ['in the c4sin0 today', ['casino'], 'in the <mark>c4sin0</mark> today'],
  ['nothing', ['casino', ''], 'nothing'],
  ['ab', ['ab', 'b'], '<mark>ab</mark>'],
  [
    'caaasinooo! c@sinooo, a cásino',
    ['casino'],
    '<mark>caaasinooo</mark>! <mark>c@sinooo</mark>, a <mark>cásino</mark>',
  ],
  ['a ｃａｓiñooo and 𝐜4sin0', ['casino'], 'a <mark>ｃａｓiñooo</mark> and <mark>𝐜4sin0</mark>'],
  ['no f\u200bix, a ﬁx', ['fix'], 'no <mark>f\u200bix</mark>, a <mark>ﬁx</mark>'],
  ['poker in the c4sin0', ['casino', 'poker'], '<mark>poker</mark> in the <mark>c4sin0</mark>'],
])('%s', (text, words, expected) => {
  expect(shown(text, ...words)).toBe(expected);
});

const shownTexts = async (...texts: { text: string; words: string[] }[]): Promise<string[]> =>
  (await highlightedTexts(texts)).map((piece) => html`${piece}`.text);
const WORDS = Array.from({ length: 20 }, (_, at) => `badword${String.fromCharCode(97 + at)}`);
const DISGUISED = WORDS.map((word) => word.replace('o', '0')).join(' ');

it('marks words at any place of a long text, also where two slices meet', async () => {
  for (const place of [4990, 4998, 5495, 9995, 30_000]) {
    const text = `${'x '.repeat(place / 2)} c4sin0 end`;
    const [shown = ''] = await shownTexts({ text, words: ['casino'] });
    expect(shown.split('<mark>c4sin0</mark>')).toHaveLength(2);
  }
});

it('searches each character at most twice, whatever the texts and words are', async () => {
  const locate = jest.spyOn(Matcher.prototype, 'locate');
  const find = jest.spyOn(Matcher.prototype, 'find');
  const text = `${'c0c0 '.repeat(960)} ${DISGUISED}`;
  await shownTexts(...Array.from({ length: 20 }, () => ({ text, words: WORDS })));
  const searched = [...locate.mock.calls, ...find.mock.calls].map(([part]) => part.length);
  expect(searched.reduce((sum, length) => sum + length, 0)).toBeLessThan(2 * 20 * text.length);
  expect(Math.max(...searched)).toBeLessThanOrEqual(5500);
});

it('bounds the searched characters of a page, and the marks of a text', async () => {
  const locate = jest.spyOn(Matcher.prototype, 'locate');
  const text = 'ab '.repeat(20_000);
  const shown = await shownTexts(...Array.from({ length: 20 }, () => ({ text, words: ['ab'] })));
  const searched = locate.mock.calls.map(([part]) => part.length);
  expect(searched.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(220_000);
  expect(shown.map((one) => one.split('<mark>').length - 1)).toEqual([
    ...[500, 500, 500, 500],
    ...Array.from({ length: 16 }, () => 0),
  ]);
  expect(shown[19]).toBe(text);
});
afterEach(() => jest.restoreAllMocks());
