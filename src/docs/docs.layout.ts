import { html, type Html, type Piece } from '../web/html';
import { page, PATHS, type NavGroup, type Reader } from '../web/layout';
import { contentIn, GUIDES } from './content';
import { DOCS_STYLE } from './docs.style';
import { contentLanguage, docsMessages } from './messages/docs-messages';
import { type ApiReference } from './reference/api-reference';

/** Addresses of the documentation. */
export const DOCS = {
  home: PATHS.docs,
  guide: (name: string) => `/docs/guides/${name}`,
  group: (name: string) => `/docs/reference/${name}`,
  operation: (group: string, id: string) => `/docs/reference/${group}#${id}`,
  object: (group: string, name: string) => `/docs/reference/${group}#object-${name}`,
  errors: '/docs/errors',
  error: (code: number) => `/docs/errors/${code}`,
  search: '/docs/search',
  changelog: '/docs/changelog',
  feed: '/docs/changelog.atom',
  style: '/docs/docs.css',
  script: '/docs/docs.js',
} as const;

/** Options of a page of the documentation. */
export interface DocsPage {
  readonly title: string;
  readonly description: string;
  /** Path without query. */
  readonly path: string;
  readonly head?: Piece;
  /** Whether the page has the script: forms to try operations, buttons to copy. */
  readonly hasScript?: boolean;
}

/** The name of a group of operations in the language of a reader. */
export const groupName = (reader: Reader, name: string): string =>
  docsMessages(reader).groups[name] ?? name;

function navigation(reader: Reader, { groups }: ApiReference, path: string): NavGroup[] {
  const words = docsMessages(reader);
  const { guides } = contentIn(contentLanguage(reader));
  const link = (href: string, label: string) => ({ href, label, current: href === path });
  return [
    { links: [link(DOCS.home, words.title)] },
    {
      title: words.guides,
      links: GUIDES.map((name) => link(DOCS.guide(name), guides.get(name)?.title ?? name)),
    },
    {
      title: words.reference,
      links: groups.map(({ name }) => link(DOCS.group(name), groupName(reader, name))),
    },
    {
      title: words.more,
      links: [link(DOCS.errors, words.allErrors), link(DOCS.changelog, words.changelog)],
    },
  ];
}

/** The search form; it works without scripts. */
export function searchForm(reader: Reader, query = ''): Html {
  const { search } = docsMessages(reader);
  return html`<form
    class="search docs-search"
    role="search"
    aria-label="${search.title}"
    action="${DOCS.search}"
  >
    <label class="hidden" for="docs-search">${search.label}</label>
    <input
      type="search"
      id="docs-search"
      name="q"
      value="${query}"
      placeholder="${search.label}"
      maxlength="200"
    />
    <button>${search.button}</button>
  </form>`;
}

/** A page of the documentation with its navigation and search. Search engines may index it. */
export function docsPage(
  reader: Reader,
  reference: ApiReference,
  { title, description, path, head, hasScript = false }: DocsPage,
  body: Piece,
): Html {
  return page(
    reader,
    {
      title,
      indexed: true,
      area: PATHS.docs,
      side: navigation(reader, reference, path),
      head: html`<meta name="description" content="${description}" />
        <link rel="stylesheet" href="${DOCS_STYLE.address}" />
        ${head}${hasScript && html`<script src="${DOCS.script}" defer></script>`}`,
    },
    body,
  );
}
