import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { Clock } from '../../api/clock';
import { type ApiRequest } from '../../api/http/request-context';
import { type PageQuery } from '../../api/resources/page';
import { ExpensiveRoute, Public, RespondsPage } from '../../api/routing/route';
import { Book } from '../../books/books.resources';
import { SearchService } from '../../books/search.service';
import { EventPagesRepository } from '../../events/event-pages.repository';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { SimpleCelebrity, SimpleSubject } from '../../movies/movies.resources';
import { SubjectSearchService } from '../../movies/search.service';
import { emptyState, sectionHead, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { SEARCH_ICON } from '../../web/brand';
import { card, grid, highlighted, inOwnLanguage } from '../../web/record-components';
import { eventCards } from '../events/event.pages';
import { LocalTimes } from '../events/local-times.service';
import { allOf, bookCard, subjectCard } from '../parts';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { withQuery } from '../../web/with-query';
import {
  listPage,
  listPages,
  queryText,
  SitePages,
  siteReader,
  type SiteReader,
} from '../site-pages.service';

const KINDS = ['all', 'book', 'movie', 'person', 'event'] as const;
type Kind = (typeof KINDS)[number];

/** Elements of a kind in the search over everything. */
const FEW: PageQuery = { start: 0, count: 6 };

/**
 * Maximum number of searches of a page in parallel. More would wait for each other in the share of
 * their address (`addressSearches`), and be rejected if they take long.
 */
const MAX_PARALLEL_SEARCHES = 2;

/** Maximum length of a query in characters. */
const MAX_QUERY = 200;

interface Found {
  readonly total: number;
  readonly content: Html;
}

/** The search over books, films, people and events. */
@UseGuards(SitePageGuard)
@Controller('search')
export class SearchPageController {
  constructor(
    private readonly books: SearchService,
    private readonly subjects: SubjectSearchService,
    private readonly movies: MoviePagesRepository,
    private readonly events: EventPagesRepository,
    private readonly clock: Clock,
    private readonly times: LocalTimes,
    private readonly site: SitePages,
  ) {}

  @Get()
  @ExpensiveRoute('search')
  @Public()
  @RespondsPage()
  async search(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = siteReader(request);
    const { search: words } = reader.words;
    const q = queryText(request, 'q')?.slice(0, MAX_QUERY).toWellFormed();
    const asked = queryText(request, 'kind');
    const kind = KINDS.find((one) => one === asked) ?? 'all';
    const title = q === undefined ? words.title : words.titleOf(q);
    await this.site.send(request, response, reader, {
      ...{ title, indexed: false, hasSearchField: true },
      description: words.prompt,
      path: withQuery(PATHS.search, { q, kind: asked === undefined ? undefined : kind }),
      body: html`<div class="search-page">
          <h1>${inOwnLanguage(title)}</h1>
          <form class="search" role="search" aria-label="${words.title}" action="${PATHS.search}">
            <label class="hidden" for="q">${reader.messages.nav.search}</label>
            <input type="search" id="q" name="q" value="${q}" />
            ${kind !== 'all' && html`<input type="hidden" name="kind" value="${kind}" />`}
            <button><span class="hidden">${reader.messages.nav.search}</span>${SEARCH_ICON}</button>
          </form>
        </div>
        ${q === undefined ? html`<p class="lead">${words.prompt}</p>` : await this.results(request, reader, q, kind)}`,
    });
  }

  private async results(
    request: ApiRequest,
    reader: SiteReader,
    q: string,
    kind: Kind,
  ): Promise<Html> {
    const { search: words } = reader.words;
    const wanted = kind === 'all' ? FEW : listPage(request);
    const kinds = kind === 'all' ? KINDS.slice(1) : [kind];
    const found: (readonly [Kind, Found])[] = [];
    for (let at = 0; at < kinds.length; at += MAX_PARALLEL_SEARCHES) {
      const some = kinds.slice(at, at + MAX_PARALLEL_SEARCHES).map(async (one) => {
        return [one, await this.find(reader, one, q, wanted)] as const;
      });
      found.push(...(await Promise.all(some)));
    }
    const href = (one: Kind): string =>
      withQuery(PATHS.search, { q, kind: one === 'all' ? undefined : one });
    const filled = found.filter(([, { total }]) => total > 0);
    const sections = filled.map(([one, { total, content }]) => {
      const all = { href: href(one), label: allOf(reader, total) };
      return html`${sectionHead(words.kinds[one], kind === 'all' ? all : undefined)}${content}`;
    });
    const total = found[0]?.[1].total ?? 0;
    return html`${tabs(
      reader.words.page.views,
      KINDS.map((one) => ({ href: href(one), label: words.kinds[one], current: one === kind })),
    )}
    ${sections.length > 0 ? sections : emptyState(words.none(q))}
    ${kind !== 'all' && listPages(reader, { ...wanted, total }, PATHS.search, { q, kind })}`;
  }

  private async find(reader: SiteReader, kind: Kind, q: string, page: PageQuery): Promise<Found> {
    switch (kind) {
      case 'book': {
        const { total, items } = await this.books.search({ q }, page, ANONYMOUS);
        const cards = items.map((row) => bookCard(reader, this.site.json(Book, row), q));
        return { total, content: grid(cards) };
      }
      case 'movie': {
        const { total, items } = await this.subjects.search({ q }, page, 'advance');
        const cards = items.map((row) =>
          subjectCard(reader, this.site.json(SimpleSubject, row), undefined, q),
        );
        return { total, content: grid(cards) };
      }
      case 'person': {
        const { total, items } = await this.movies.searchCelebrities(q, page);
        return { total, content: grid(items.map((row) => this.person(row, q))) };
      }
      default: {
        const { total, items } = await this.events.searchEvents(q, page, this.clock.now());
        const { events } = await this.times.of(items);
        return { total, content: eventCards(reader, events, q) };
      }
    }
  }

  private person(row: { readonly name_en: string }, q: string): Piece {
    const { id, name, avatars } = this.site.json(SimpleCelebrity, row);
    return card({
      href: to.celebrity(String(id)),
      title: name,
      marked: q,
      cover: { src: avatars?.large ?? '', shape: 'portrait' },
      lines: [highlighted(row.name_en, q)],
    });
  }
}
