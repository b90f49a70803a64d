import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { cleanText } from '../api/input/text-input';
import { integerParameter, type PageQuery } from '../api/resources/page';
import { type Fields, type Resource, type Wire } from '../api/resources/resource';
import { mapInSlices } from '../api/resources/slices';
import { WireContext } from '../api/resources/wire-types';
import { html, Html, type Piece } from '../web/html';
import { LANGUAGES } from '../web/language';
import { page, type Reader } from '../web/layout';
import { NAME } from '../web/brand';
import { HTML_TYPE, sendCacheable, setCatalogHeaders } from '../web/page-response';
import { readerOf } from '../web/reader';
import { emptyState, pagination } from '../web/components';
import { MAX_NAME } from '../web/record-components';
import { shorten } from '../text/shorten';
import { type SiteMessages } from './messages/en';
import { siteMessages } from './messages/messages';
import { withQuery } from '../web/with-query';
import { boundedJson } from './page-bounds';
import { PageMemory } from './page-memory';
import { type SitePage, type StructuredData } from './site-page';

/** Elements of a list on one page. */
export const PAGE_SIZE = 20;

/** Maximum length of a description in characters. */
const MAX_DESCRIPTION = 200;

/** The reader of a public page, with the texts of the area. */
export interface SiteReader extends Reader {
  readonly words: SiteMessages;
  readonly number: (value: number) => string;
}

/** The reader of a request. */
export function siteReader(request: ApiRequest): SiteReader {
  const reader = readerOf(request);
  const { lang } = reader.messages;
  return { ...reader, words: siteMessages(lang), number: (value) => value.toLocaleString(lang) };
}

/** The page of a list that `start` of the query selects. @throws ApiError 999 if it is no number */
export const listPage = ({ context }: ApiRequest, count = PAGE_SIZE): PageQuery => ({
  start: integerParameter('start', context.query.start, 0),
  count,
});

/** A query parameter as clean text (D9); undefined if it is absent, empty or repeated. */
export function queryText({ context }: ApiRequest, name: string): string | undefined {
  const value = context.query[name];
  const text = typeof value === 'string' ? cleanText(value) : '';
  return text === '' ? undefined : text;
}

/** Links to the other pages of a list; past its end, a message with a link to the beginning. */
export const listPages = (
  { words, number }: SiteReader,
  { start, count, total }: PageQuery & { readonly total: number },
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Piece => {
  const hrefOf = (first: number): string =>
    withQuery(path, { ...query, start: first === 0 ? undefined : String(first) });
  if (start > 0 && start >= total) {
    const { pastEnd, first } = words.page;
    return total > 0 && emptyState(pastEnd, html`<a href="${hrefOf(0)}">${first}</a>`);
  }
  return pagination({ ...{ start, count, total, number, words: words.page }, hrefOf });
};

/** JSON in a script element: no text of it can end the element. */
const jsonLd = (data: StructuredData): Html =>
  new Html(
    `<script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      ...data,
    })
      .replace(/</g, '\\u003c')
      .replace(/\u2028/g, '\\u2028')
      .replace(/\u2029/g, '\\u2029')}</script>`,
  );

/** Renders and sends public pages. */
@Injectable()
export class SitePages {
  constructor(
    private readonly context: WireContext,
    private readonly memory: PageMemory,
  ) {}

  /** Address of the API, without a trailing slash. */
  get baseUrl(): string {
    return this.context.baseUrl;
  }

  /** The absolute address of a page. */
  absolute(path: string): string {
    return `${this.context.webUrl}${path}`;
  }

  /** A row as the API writes it, with the members of the advance tier, within the bounds of pages. */
  json<F extends Fields>(resource: Resource<F>, row: unknown): Wire<Resource<F>> {
    return boundedJson(resource.compile('advance')(row, this.context)) as Wire<Resource<F>>;
  }

  /** Rows as {@link json} writes them, in slices: rows with texts take long together. */
  jsonList<F extends Fields>(
    resource: Resource<F>,
    rows: readonly unknown[],
  ): Promise<Wire<Resource<F>>[]> {
    return mapInSlices(rows, (row) => this.json(resource, row));
  }

  /** Sends a public page. It is the same for everybody, so that caches may store it. */
  send(
    request: ApiRequest,
    response: Response,
    reader: SiteReader,
    content: SitePage,
  ): Promise<void> {
    const { area, hasSearchField, indexed = true, body } = content;
    const title = shorten(content.title, MAX_NAME);
    const options = {
      title,
      area,
      hasSearchField,
      indexed,
      wide: true,
      head: this.head(reader, { ...content, title }),
    };
    const { text } = page(reader, options, body);
    this.memory.keep(request, reader.messages.lang, text, content);
    setCatalogHeaders(response, this.context.baseUrl);
    return sendCacheable(request, response, text, HTML_TYPE);
  }

  private head(reader: SiteReader, content: SitePage): Html {
    const { title, path, type = 'website', image, data = [], feeds = [], json } = content;
    const description = shorten(content.description.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION);
    const canonical = this.absolute(path);
    const { lang } = reader.messages;
    const inLanguage = (tag: string): string =>
      `${canonical}${canonical.includes('?') ? '&' : '?'}lang=${tag}`;
    return html`<meta name="description" content="${description}" />
      <link rel="canonical" href="${canonical}" />
      ${[...LANGUAGES.keys()].map(
        (tag) => html`<link rel="alternate" hreflang="${tag}" href="${inLanguage(tag)}" />`,
      )}
      <link rel="alternate" hreflang="x-default" href="${canonical}" />
      ${feeds.map(
        (feed) =>
          html`<link
            rel="alternate"
            type="application/atom+xml"
            title="${feed.title}"
            href="${this.absolute(feed.path)}"
          />`,
      )}
      ${
        json !== undefined &&
        html`<link
          rel="alternate"
          type="application/json"
          title="${reader.words.page.json}"
          href="${this.context.baseUrl}${json}"
        />`
      }
      <meta property="og:site_name" content="${NAME}" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:type" content="${type}" />
      <meta property="og:url" content="${canonical}" />
      <meta
        property="og:locale"
        content="${{ en: 'en_US', 'zh-Hans': 'zh_CN' }[lang] ?? 'zh_TW'}"
      />
      ${
        image !== undefined &&
        html`<meta property="og:image" content="${image}" />
          <meta name="twitter:card" content="summary" />`
      }
      ${data.map(jsonLd)}`;
  }
}
