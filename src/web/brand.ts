import { html, Html } from './html';

/** The name of the service on all pages. */
export const NAME = 'Commonplace';

/** An open book in a seal. The colours are fixed: the mark looks the same in both schemes. */
const DRAWING =
  '<rect width="32" height="32" rx="7" fill="#b23a2b"/>' +
  '<path d="M16 9.2C13.6 7.4 10.3 6.8 6.5 7v15.6c3.8-.2 7.1.4 9.5 2.3 2.4-1.9 5.7-2.5 9.5-2.3V7c-3.8-.2-7.1.4-9.5 2.2z" fill="#fdf8ef"/>' +
  '<path d="M16 9.2v15.7" stroke="#b23a2b" stroke-width="1.3"/>' +
  '<path d="M19.2 7.9v8.2l1.9-1.5 1.9 1.5V7" fill="#b23a2b"/>' +
  '<path d="M9 11.4c1.5 0 2.8.2 4.2.7M9 14.6c1.5 0 2.8.2 4.2.7M9 17.8c1.5 0 2.8.2 4.2.7" fill="none" stroke="#b23a2b" stroke-width="1.2" stroke-linecap="round"/>';

/** The mark as an element of a page; the name beside it is its label. */
export const MARK = new Html(`<svg viewBox="0 0 32 32" aria-hidden="true">${DRAWING}</svg>`);

/** The favicon: an SVG file. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${DRAWING}</svg>`;

/** The magnifying glass of search buttons; the button needs a hidden label. */
export const SEARCH_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <circle cx="8.5" cy="8.5" r="5.75" fill="none" stroke="currentColor" stroke-width="2" />
  <path d="m13 13 5 5" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
</svg>`;
