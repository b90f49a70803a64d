import {
  badge,
  chips,
  codeBlock,
  counts,
  crumbs,
  definitions,
  emptyState,
  facts,
  notice,
  pagination,
  panel,
  sectionHead,
  stats,
  table,
  tabs,
} from '../components';
import { html, type Html, type Piece } from '../html';
import { page, PATHS, type Reader } from '../layout';
import { card, cover, grid, rating, ratingBars } from '../record-components';
import { styleSheet } from '../style/style-sheet';
import { TOKENS } from '../style/tokens';

const COLOURS: readonly (readonly [token: string, use: string])[] = [
  ['paper', 'Background of pages'],
  ['surface', 'Background of the header, fields and boxes'],
  ['plate', 'Ground of logos, white in both schemes'],
  ['tint', 'Background of badges, pills and messages'],
  ['line', 'Lines between parts'],
  ['edge', 'Borders of fields, which need a contrast of 3'],
  ['ink', 'Text'],
  ['soft', 'Secondary text'],
  ['accent', 'Links and buttons'],
  ['seal', 'The mark, and the present page in a navigation'],
  ['star', 'Stars of ratings'],
  ['danger', 'Errors and destructive actions'],
  ['good', 'Success'],
  ['warn', 'Warnings'],
  ['mark', 'Background of search hits'],
];

const SIZES = ['text-s', 'text-m', 'text-l', 'text-xl', 'text-2xl', 'text-3xl'] as const;

const SAMPLE = '/pictures/sample';

const RULES = [
  'Covers come first. A page about a work begins with its cover, title and rating.',
  'Use tokens. A style sheet outside of src/web has no colour, font or length of its own.',
  'Titles are set in the serif of --font-title, everything else in --font-text.',
  'Chinese text has more leading, no italics and no letter spacing. Mark it with inOwnLanguage() in pages of other languages.',
  'Facts, numbers and people are in panels beside a work (aside), so that its summary is in the first view.',
  'A work or person without a picture is drawn: cover() does it with the name.',
  'Running text is at most 42rem wide. Lists of works use the full width (wide).',
  'The seal red marks the present position and nothing else. Red for errors is --danger.',
  'Every page works without scripts, at 320 pixels, at 200 % zoom, with the keyboard, and on paper.',
  'A link says where it leads. A list without elements says so and offers a way on.',
];

const section = (title: string, body: Piece): Html => html`${sectionHead(title)}${body}`;

/** The value of a token in the light scheme. */
const valueOf = (token: string): string =>
  new RegExp(`--${token}: ([^;]+);`).exec(TOKENS)?.[1] ?? '';

const colours = (): Html =>
  table(
    'Colours',
    [{ title: 'Token' }, { title: 'Light scheme' }, { title: 'Use' }, { title: 'Sample' }],
    COLOURS.map(([token, use]) => [
      html`<code>--${token}</code>`,
      html`<code>${valueOf(token)}</code>`,
      use,
      html`<span class="swatch ${token}"></span>`,
    ]),
  );

const type = (): Html =>
  html`${SIZES.map(
    (size) =>
      html`<p class="${size}">
        <span lang="zh">书卷多情似故人</span> A commonplace book <code>--${size}</code>
      </p>`,
  )}`;

const works = (): Html =>
  grid(
    [1, 2, 3].map((id) =>
      card({
        href: `/book/${id}/`,
        title: ['三体', 'Second book', '第三本'][id - 1] ?? '',
        cover: { src: `${SAMPLE}/books/${id}-l.jpg`, shape: 'book' },
        lines: ['Author'],
      }),
    ),
  );

const WORDS = { of: (value: string, max: number) => `${value} of ${max}`, none: 'No ratings yet' };

function components(): Html {
  const self = PATHS.design;
  return html` ${section('Covers and cards', html`${works()}${codeBlock("grid(books.map((book) => card({ href, title, cover: { src, shape: 'book' }, lines: [author] })))")}`)}
  ${section(
    'Drawn pictures',
    html`${grid(
      ['Emily Reed', '姜武', '牛犇'].map((name) =>
        card({ href: self, title: name, cover: { src: '', shape: 'portrait' } }),
      ),
    )}${codeBlock("cover({ src: '', alt: '', name, shape: 'portrait' })")}`,
  )}
  ${section(
    'Panels, facts and counts',
    html`${panel(
      'Details',
      html`${counts([
        ['read it', '12'],
        ['want to read it', '3'],
      ])}
      ${facts([
        ['Publisher', '重庆出版社'],
        ['Published', '2008-1'],
        ['Series', 'A long title across both columns on phones', true],
      ])}`,
      { href: self, label: 'All' },
    )}${codeBlock('panel(title, facts([[name, value, isLong]]), all)')}`,
  )}
  ${section(
    'Rating',
    html`<p>${rating(8.8, 10, WORDS, true)}</p>
      <p>${rating(7.1, 10, WORDS)} · ${rating(0, 10, WORDS)}</p>
      ${ratingBars([5, 4, 3, 2, 1].map((stars) => ({ stars, count: stars * 6, label: `${stars} stars` })))}
      ${codeBlock('rating(8.8, 10, words, true); ratingBars(rows)')}`,
  )}
  ${section(
    'Badges and pills',
    html`<p>
        ${badge('draft')} ${badge('approved', 'good')} ${badge('waiting', 'warn')}
        ${badge('blocked', 'danger')}
      </p>
      ${chips([
        { href: self, label: '科幻', count: 38039 },
        { href: self, label: 'Essays' },
      ])}
      ${codeBlock("badge('blocked', 'danger'); chips([{ href, label, count }])")}`,
  )}
  ${section(
    'Tabs and path',
    html`${crumbs('Path', [
      { href: PATHS.home, label: 'Home' },
      { href: PATHS.docs, label: 'Docs' },
    ])}
    ${tabs('Views', [
      { href: self, label: 'Overview', current: true },
      { href: PATHS.docs, label: 'Settings' },
    ])}${codeBlock('tabs(label, [{ href, label, current }]); crumbs(label, links)')}`,
  )}
  ${section(
    'Messages',
    html`${notice('note', html`<p>A remark.</p>`)}${notice('good', html`<p>Changes saved.</p>`)}
    ${notice('warn', html`<p>This token expires today.</p>`)}${notice('error', html`<p>The name is missing.</p>`)}
    ${codeBlock("notice('warn', body); flash('error', text)")}`,
  )}
  ${section(
    'Numbers and facts',
    html`${stats([
      ['Books', '61'],
      ['Films', '40'],
      ['Events', '42'],
    ])}
    ${definitions([
      ['Publisher', '重庆出版社'],
      ['Pages', '302'],
      ['Price', ''],
    ])}
    ${codeBlock('stats([[name, value]]); definitions([[name, value]])')}`,
  )}
  ${section(
    'Table',
    html`${table(
      'Use',
      [{ title: 'Day' }, { title: 'Requests', number: true }],
      [
        ['2026-11-20', '1,204'],
        ['2026-11-21', '998'],
      ],
    )}
    ${codeBlock('table(label, [{ title }, { title, number: true }], rows)')}`,
  )}
  ${section(
    'Empty list',
    html`${emptyState('No reviews yet.', html`<a href="${PATHS.home}">Back to the home page</a>`)}
    ${codeBlock('emptyState(text, link)')}`,
  )}
  ${section(
    'Pages of a list',
    html`${pagination({
      start: 20,
      count: 20,
      total: 61,
      hrefOf: (start) => `${self}?start=${start}`,
      number: String,
      words: {
        label: 'Pages',
        previous: 'Previous',
        next: 'Next',
        position: (first, last, total) => `${first}–${last} of ${total}`,
      },
    })}${codeBlock('pagination({ start, count, total, hrefOf, words, number })')}`,
  )}
  ${section(
    'Form',
    html`<form>
      <label for="title">Title<small>At most 60 characters.</small></label>
      <input type="text" id="title" name="title" />
      <label class="choice"><input type="checkbox" name="private" /> <span>Private</span></label>
      <div class="buttons">
        <button type="button">Save</button><button type="button" class="quiet">Cancel</button
        ><button type="button" class="danger">Delete</button>
      </div>
    </form>`,
  )}
  ${section(
    'Pictures',
    html`<div class="shapes">
      ${cover({ src: `${SAMPLE}/books/1-l.jpg`, alt: 'Cover of a book', shape: 'book' })}
      ${cover({ src: `${SAMPLE}/movies/1001-l.jpg`, alt: 'Poster of a film', shape: 'poster' })}
      ${cover({ src: `${SAMPLE}/celebrities/2001-l.jpg`, alt: 'Portrait', shape: 'portrait' })}
    </div>`,
  )}`;
}

/** Styles that only this page needs. */
export const DESIGN_STYLE = styleSheet(
  `${PATHS.design}/style.css`,

  '.swatch { display: block; width: 3rem; height: 1.5rem; border: 1px solid var(--edge); border-radius: var(--radius-cover); }',
  '.shapes { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--space-4); align-items: end; max-width: 30rem; }',
  ...COLOURS.map(([token]) => `.swatch.${token} { background: var(--${token}); }`),
  ...SIZES.map(
    (size) => `p.${size} { font: var(--${size})/var(--leading-title) var(--font-title); }`,
  ),
);

/** The page with rules, tokens and components. It is in English, as the code. */
export const designPage = (reader: Reader): Html =>
  page(
    reader,
    {
      title: reader.messages.nav.design,
      wide: true,
      area: PATHS.docs,
      head: html`<link rel="stylesheet" href="${DESIGN_STYLE.address}" />`,
    },
    html`<div lang="en">
      <h1>Design</h1>
      <p class="lead">Rules, tokens and components of every page of this service.</p>
      <ul>
        ${RULES.map((rule) => html`<li>${rule}</li>`)}
      </ul>
      ${section('Layouts', html`<p><code>page(reader, options, body)</code> has three layouts: running text, <code>wide</code>, and <code>side</code> with a navigation beside the content. <code>layout(reader, title, body)</code> is the first, without options.</p>`)}
      ${section('Colours', colours())}${section('Type', type())}${components()}
    </div>`,
  );
