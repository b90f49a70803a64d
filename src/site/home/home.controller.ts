import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { type ApiRequest } from '../../api/http/request-context';
import { Public, RespondsPage } from '../../api/routing/route';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { Book } from '../../books/books.resources';
import { CitiesService } from '../../cities/cities.service';
import { Settings } from '../../config/settings';
import { EventsService } from '../../events/events.service';
import { ChartsService } from '../../movies/charts.service';
import { SimpleSubject } from '../../movies/movies.resources';
import { NotePagesRepository } from '../../notes/note-pages.repository';
import { inFormat } from '../../notes/notes.service';
import { NOBODY, SimpleUser } from '../../users/users.resources';
import { chips, codeBlock, sectionHead } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { NAME, SEARCH_ICON } from '../../web/brand';
import { shorten } from '../../text/shorten';
import { cover, grid, inOwnLanguage, MAX_LISTED_NAME } from '../../web/record-components';
import { eventCards } from '../events/event.pages';
import { LocalTimes } from '../events/local-times.service';
import { Note, noteEntries } from '../notes/note.pages';
import { bookCard, subjectCard } from '../parts';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { PopularService } from './popular.service';

/** Elements of a list on the front page. */
const FEW = { start: 0, count: 6 };

/** The front page, and the entrance to books. */
@UseGuards(SitePageGuard)
@Controller()
export class HomeController {
  constructor(
    private readonly popular: PopularService,
    private readonly books: BookPagesRepository,
    private readonly charts: ChartsService,
    private readonly events: EventsService,
    private readonly cities: CitiesService,
    private readonly times: LocalTimes,
    private readonly notes: NotePagesRepository,
    private readonly settings: Settings,
    private readonly site: SitePages,
  ) {}

  @Get()
  @Public()
  @RespondsPage()
  async home(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = siteReader(request);
    const { words } = reader;
    const [popular, theaters, best, events, notes] = await Promise.all([
      this.popular.listBooks(),
      this.charts.getInTheaters(undefined, FEW),
      this.charts.top250(FEW, 'advance'),
      this.eventsPart(reader),
      this.notes.listNewest(4),
    ]);
    const films = (title: string, rows: readonly unknown[], chart: string): Piece =>
      rows.length > 0 &&
      html`${sectionHead(title, { href: to.chart(chart), label: words.page.all })}
      ${grid(rows.map((row) => subjectCard(reader, this.site.json(SimpleSubject, row))))}`;
    await this.site.send(request, response, reader, {
      title: NAME,
      description: words.description,
      path: PATHS.home,
      image: popular[0] && this.site.json(Book, popular[0]).images.large,
      data: [
        {
          '@type': 'WebSite',
          ...{ name: NAME, url: this.site.absolute('/') },
          potentialAction: {
            '@type': 'SearchAction',
            target: `${this.site.absolute(PATHS.search)}?q={q}`,
            'query-input': 'required name=q',
          },
        },
      ],
      body: html`${this.intro(reader, [
        ...popular.slice(0, 3).map((row) => this.site.json(Book, row).images.large),
        ...best.items.slice(0, 2).map((row) => this.site.json(SimpleSubject, row).images.large),
      ])}
      ${
        popular.length > 0 &&
        html`${sectionHead(words.home.popularBooks, { href: PATHS.books, label: words.page.all })}
        ${grid(popular.slice(0, 6).map((row) => bookCard(reader, this.site.json(Book, row))))}`
      }
      ${films(words.home.inTheaters, theaters.items, 'in_theaters')}
      ${films(words.home.best, best.items, 'top250')}${events}
      ${
        notes.length > 0 &&
        html`${sectionHead(words.home.notes)}
        ${noteEntries(
          reader,
          notes.map((row) => ({
            note: this.site.json(Note, inFormat(row, 'abstract')),
            author: this.site.json(SimpleUser, row.author ?? NOBODY),
          })),
          true,
        )}`
      }
      ${this.developers(reader)}`,
    });
  }

  /** What the service is: the first view of the front page. @param covers addresses of pictures */
  private intro({ words, messages }: SiteReader, covers: readonly string[]): Html {
    const { home, search, page } = words;
    const kinds = [
      [PATHS.books, words.book.books],
      [PATHS.movies, words.movie.films],
      [PATHS.events, words.event.events],
      [PATHS.docs, home.more],
    ] as const;
    return html`<div class="intro">
      <div>
        <h1>${words.tagline}</h1>
        <p class="lead">${home.lead}</p>
        <form class="search" role="search" aria-label="${search.title}" action="${PATHS.search}">
          <label class="hidden" for="q">${messages.nav.search}</label>
          <input type="search" id="q" name="q" placeholder="${messages.nav.searchHint}" />
          <button><span class="hidden">${page.search}</span>${SEARCH_ICON}</button>
        </form>
        <p class="kinds">${kinds.map(([href, label]) => html`<a href="${href}">${label}</a>`)}</p>
      </div>
      ${
        covers.length > 0 &&
        html`<ul class="fan" aria-hidden="true">
          ${covers.map((src) => html`<li>${cover({ src, alt: '', shape: 'book', eager: true })}</li>`)}
        </ul>`
      }
    </div>`;
  }

  private async eventsPart(reader: SiteReader): Promise<Piece> {
    const { home: words } = reader.words;
    const city = await this.cities.find(this.settings.DEFAULT_CITY);
    const page = { start: 0, count: 6 };
    const input = { loc: city && String(city.id), radius: 0 };
    const { items } = await this.events.list(input, page, ANONYMOUS);
    if (items.length === 0) return undefined;
    const { events } = await this.times.of(items);
    const title = city
      ? words.events(shorten(city.name, MAX_LISTED_NAME))
      : reader.words.event.events;
    const all = { href: to.events({ loc: city?.uid }), label: words.allEvents };
    return html`${sectionHead(title, all)}${eventCards(reader, events)}`;
  }

  private developers(reader: SiteReader): Html {
    const { home: words } = reader.words;
    const { baseUrl } = this.site;
    const requests = [
      [words.exampleBook, '/v2/book/1'],
      [words.exampleSearch, '/v2/book/search?q=%E4%B8%89%E4%BD%93&count=3'],
      [words.exampleFields, '/v2/book/isbn/9787536692930?fields=title,author,rating,alt'],
    ] as const;
    return html`${sectionHead(words.developers, { href: PATHS.docs, label: words.more })}
      <div class="columns">
        <div>
          <p>${words.tryIt}</p>
          <ul class="requests">
            ${requests.map(([label, path]) => html`<li><a href="${path}">${label}</a></li>`)}
          </ul>
          <p class="ways">
            <a href="${PATHS.docs}">${words.more}</a>
            <a href="${PATHS.developer}">${words.create}</a> <a href="/v2/openapi.json">OpenAPI</a>
            <a href="/healthz">/healthz</a> <a href="/readyz">/readyz</a>
          </p>
        </div>
        ${codeBlock(requests.map(([, path]) => `curl '${baseUrl}${path}'`).join('\n'))}
      </div>`;
  }

  @Get('book')
  @Public()
  @RespondsPage()
  async bookHome(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = siteReader(request);
    const { home: words, book } = reader.words;
    const [newest, popular, tags] = await Promise.all([
      this.books.listNewest(12),
      this.popular.listBooks(),
      this.popular.listTags(),
    ]);
    const part = (title: string, rows: readonly unknown[]): Html =>
      html`${sectionHead(title)}${grid(rows.map((row) => bookCard(reader, this.site.json(Book, row))))}`;
    await this.site.send(request, response, reader, {
      title: book.books,
      description: [book.books, ...tags].join(' · '),
      path: PATHS.books,
      image: popular[0] && this.site.json(Book, popular[0]).images.large,
      area: PATHS.books,
      body: html`<h1>${book.books}</h1>
        ${tags.length > 0 && chips(tags.map((tag) => ({ href: to.tag(tag), label: inOwnLanguage(tag) })))}
        ${part(words.popularBooks, popular)}${part(words.newBooks, newest)}`,
    });
  }
}
