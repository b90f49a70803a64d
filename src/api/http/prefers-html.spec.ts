import { prefersHtml } from './prefers-html';

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

it.each([
  ['text/html', true],
  ['TEXT/HTML; charset=utf-8', true],
  [CHROME, true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html, application/json;q=0.9', true],
  ['application/json;q=0.1, text/html;q=0.2', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['application/json, text/javascript, */*; q=0.01', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  ['application/json, text/html', false],
  ['text/html, application/json', false],
  ['text/html, application/problem+json', false],
  ['text/html, application/problem+json;q=0.9', false],
  ['text/html, application/problem+json;q=0', true],
  ['text/html;q=0.5, application/*', false],
  ['text/html;q=0', false],
  ['text/html;q=x', false],
  ['application/text/html', false],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
])('Accept: %s prefers HTML: %s', (accept, html) => {
  expect(prefersHtml(accept)).toBe(html);
});
