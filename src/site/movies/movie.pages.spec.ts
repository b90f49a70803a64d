import { html } from '../../web/html';
import { website } from './movie.pages';

it.each([
  'javascript:alert(1)',
  '//example.org',
  'example.org',
  'http://',
  'http://[',
  'https://a b',
  '',
])('shows no link to %j', (address) => {
  expect(website(address)).toBe(false);
});

it('shows the host of a website', () => {
  const link = '<a href="https://example.org/a?b=&quot;" rel="nofollow noopener">example.org</a>';
  expect(html`${website('https://example.org/a?b="')}`.text).toBe(link);
});
