import { html } from '../../web/html';
import { highlighted } from './highlight';

const shown = (text: string, ...words: string[]): string => html`${highlighted(text, words)}`.text;

it.each([
  ['the CASINO, a c asino', ['casino'], 'the <mark>CASINO</mark>, a <mark>c asino</mark>'],
  ['an ｃａｓｉｎｏ <b>', ['casino'], 'an <mark>ｃａｓｉｎｏ</mark> &lt;b&gt;'],
  ['in the c4sin0 today', ['casino'], 'in the <mark>c4sin0</mark> today'],
  ['nothing', ['casino', ''], 'nothing'],
  ['ab', ['ab', 'b'], '<mark>ab</mark>'],
])('%s', (text, words, expected) => {
  expect(shown(text, ...words)).toBe(expected);
});
