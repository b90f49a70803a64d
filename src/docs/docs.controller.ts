import { Controller, Get, Header, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { MAX_CACHED_URL_LENGTH, StoredResponse } from '../api/cache/stored-response';
import { ApiError } from '../api/errors/error-codes';
import { copyString } from '../api/http/copy-string';
import { type ApiRequest } from '../api/http/request-context';
import { WireContext } from '../api/resources/resource';
import { IdParam, NameParam, Public, RespondsPage } from '../api/routing/route';
import { RouteTable } from '../api/routing/route-table';
import { apiDocument } from '../pages/api-documents';
import { html, Html, type Piece } from '../web/html';
import { type Reader } from '../web/layout';
import { HTML_TYPE, redirect, sendRepresentation, setPageHeaders } from '../web/page-response';
import { PageFilter } from '../web/page.filter';
import { readerOf } from '../web/reader';
import { sendStyleSheet } from '../web/style/style-sheet';
import { changelog, changelogFeed } from './changelog';
import { contentIn, isGuide } from './content';
import { PageLimitGuard } from '../web/page-limit.guard';
import { DOCS, docsPage, groupName, type DocsPage } from './docs.layout';
import {
  changelogBody,
  ERROR_NAMES,
  errorListBody,
  errorPageBody,
  guideBody,
  homeBody,
  rowsOf,
  searchBody,
} from './docs.pages';
import { DOCS_SCRIPT } from './docs.script';
import { DOCS_STYLE } from './docs.style';
import { contentLanguage, docsMessages } from './messages/docs-messages';
import { readReference, type ApiReference } from './reference/api-reference';
import { groupBody } from './reference/group.page';
import { SearchIndex } from './search-index';

/** Maximum length of a search. */
const MAX_QUERY = 200;

/** Bytes of pages in memory: all pages in all languages take 8 MB. */
const MAX_PAGES = 16 * 1024 * 1024;

/** The documentation for developers: guides, reference, errors, search and changelog. */
@Controller('docs')
@UseFilters(PageFilter)
@UseGuards(PageLimitGuard)
export class DocsController {
  /** Routes do not change after startup, so everything that derives from them is rendered once. */
  private read: ApiReference | undefined;
  private feedText: string | undefined;
  private readonly indexes = new Map<string, SearchIndex>();
  private readonly rendered = new Map<string, Html>();
  /** By language and address. */
  private readonly pages = new LRUCache<string, StoredResponse>({
    maxSize: MAX_PAGES,
    sizeCalculation: ({ expectedSize }) => expectedSize,
  });

  constructor(
    private readonly routes: RouteTable,
    private readonly context: WireContext,
  ) {}

  @Get()
  @Public()
  @RespondsPage()
  home(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const { title, description } = docsMessages(reader);
    const body = homeBody(reader, this.reference(), this.context.baseUrl);
    return this.send(
      response,
      reader,
      { title, description, path: DOCS.home, hasScript: true },
      body,
    );
  }

  /** Addresses that a reader makes by shortening others: the front page lists guides and groups. */
  @Get(['guides', 'reference'])
  @Public()
  @RespondsPage()
  list(@Res() response: Response): void {
    redirect(response, DOCS.home);
  }

  @Get('guides/:name')
  @Public()
  @RespondsPage()
  guide(
    @NameParam('name') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const reader = readerOf(request);
    const guide = isGuide(name) ? contentIn(contentLanguage(reader)).guides.get(name) : undefined;
    if (!guide) throw new ApiError('uriNotFound', { detail: 'guide not found' });
    const { title, description } = guide;
    const page = { title, description, path: DOCS.guide(name), hasScript: true };
    const body = this.once(reader, page.path, () => guideBody(reader, guide, this.context.baseUrl));
    return this.send(response, reader, page, body);
  }

  @Get('reference/:name')
  @Public()
  @RespondsPage()
  group(
    @NameParam('name') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const reader = readerOf(request);
    const reference = this.reference();
    const group = reference.groups.find((one) => one.name === name);
    if (!group) throw new ApiError('uriNotFound', { detail: 'group of operations not found' });
    const words = docsMessages(reader);
    const title = groupName(reader, name);
    const view = { words, language: contentLanguage(reader), baseUrl: this.context.baseUrl };
    const path = DOCS.group(name);
    const body = this.once(reader, path, () => groupBody(view, reference, { ...group, title }));
    const page = { title: words.referenceOf(title), description: group.description, path };
    return this.send(response, reader, { ...page, hasScript: true }, body);
  }

  @Get('errors')
  @Public()
  @RespondsPage()
  errors(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const { allErrors: title, errors } = docsMessages(reader);
    const page = { title, description: errors.lead, path: DOCS.errors };
    return this.send(response, reader, page, errorListBody(reader));
  }

  @Get('errors/:id')
  @Public()
  @RespondsPage()
  error(
    @IdParam('id') code: number,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const reader = readerOf(request);
    const error = contentIn(contentLanguage(reader)).errors.get(code);
    if (!error) throw new ApiError('uriNotFound', { detail: 'error code not found' });
    const path = DOCS.error(code);
    const title = `${docsMessages(reader).errors.heading(code)}: ${rowsOf(code).names[0]}`;
    const page = { title, description: error.meaning, path };
    return this.send(
      response,
      reader,
      page,
      errorPageBody(reader, this.reference(), error, this.context.baseUrl + path),
    );
  }

  @Get('search')
  @Public()
  @RespondsPage()
  search(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const { q } = request.context.query;
    const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY) : '';
    const { title } = docsMessages(reader).search;
    const head = html`<meta name="robots" content="noindex" />`;
    const page = { title, description: title, path: DOCS.search, head };
    return this.send(
      response,
      reader,
      page,
      searchBody(reader, query, this.index(reader).find(query)),
    );
  }

  @Get('changelog')
  @Public()
  @RespondsPage()
  changes(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const { changelog: title, changelogLead: description } = docsMessages(reader);
    const head = html`<link
      rel="alternate"
      type="application/atom+xml"
      title="${title}"
      href="${DOCS.feed}"
    />`;
    const path = DOCS.changelog;
    const body = this.once(reader, path, () => changelogBody(reader, changelog()));
    return this.send(response, reader, { title, description, path, head }, body);
  }

  @Get('changelog.atom')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'application/atom+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  feed(): string {
    this.feedText ??= changelogFeed(changelog(), this.context.baseUrl, DOCS.feed);
    return this.feedText;
  }

  @Get('docs.css')
  @Public()
  @RespondsPage()
  style(@Req() request: ApiRequest, @Res() response: Response): void {
    sendStyleSheet(response, DOCS_STYLE, request.context.query.v);
  }

  @Get('docs.js')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  script(): string {
    return DOCS_SCRIPT;
  }

  private reference(): ApiReference {
    this.read ??= readReference(apiDocument('public', this.routes));
    return this.read;
  }

  private index(reader: Reader): SearchIndex {
    const language = contentLanguage(reader);
    const existing = this.indexes.get(language);
    if (existing) return existing;
    const index = new SearchIndex(this.reference(), language, ERROR_NAMES);
    this.indexes.set(language, index);
    return index;
  }

  /** The body of a page, rendered once for each language and address of the service. */
  private once({ messages }: Reader, path: string, render: () => Html): Html {
    const key = `${messages.lang} ${this.context.baseUrl} ${path}`;
    const body = this.rendered.get(key) ?? render();
    this.rendered.set(key, body);
    return body;
  }

  private async send(
    response: Response,
    reader: Reader,
    page: DocsPage,
    body: Piece,
  ): Promise<void> {
    setPageHeaders(response, { hasScript: page.hasScript, fetches: page.hasScript });
    response.setHeader('Cache-Control', 'no-cache');
    const { baseUrl } = this.context;
    const { originalUrl: address } = response.req;
    // Language and address: a page with results and its language switch depend on all of them.
    const key = `${reader.messages.lang} ${baseUrl} ${address}`;
    let stored = this.pages.get(key);
    if (!stored) {
      const head = html`<link rel="canonical" href="${baseUrl + page.path}" />${page.head}`;
      const { text } = docsPage(reader, this.reference(), { ...page, head }, body);
      stored = new StoredResponse(text, HTML_TYPE);
      if (address.length <= MAX_CACHED_URL_LENGTH) this.pages.set(copyString(key), stored);
    }
    await sendRepresentation(response.req, response, stored);
  }
}
