import { html, Html } from '../web/html';
import { langOf } from '../web/works';
import { withFormulas } from './formulas';

/**
 * A text of a user on a page, with its formulas. Pictures load when they are scrolled into view; the
 * same text in the API has no such attributes.
 * @param markup HTML of `renderHtml` or `noteHtml`, which escape every `<` of the text
 * @param text the same as plain text
 */
export function prose(markup: string, text: string): Html {
  const lazy = withFormulas(markup).replaceAll('<img ', '<img loading="lazy" decoding="async" ');
  return html`<div class="prose" ${langOf(text) && html`lang="zh"`}>${new Html(lazy)}</div>`;
}
