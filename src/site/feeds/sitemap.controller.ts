import { Controller, Get, Header, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { IdParam, NameParam, Public, RespondsPage } from '../../api/routing/route';
import { Settings } from '../../config/settings';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { EventPagesRepository } from '../../events/event-pages.repository';
import { CHART_NAMES } from '../../movies/chart-names';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { NotePagesRepository } from '../../notes/note-pages.repository';
import { UserPagesRepository } from '../../users/user-pages.repository';
import { escapeXml } from '../../web/atom';
import { waitForDrain } from '../../web/wait-for-drain';
import { PATHS } from '../../web/layout';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { SitePages } from '../site-pages.service';

/** Maximum number of addresses in a site map (sitemaps.org). */
const MAX_ADDRESSES = 50_000;

/** Rows of one statement. */
const BATCH = 1000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Entry {
  readonly id: number;
  readonly path: string;
}

/** The pages of a kind by id. @param skip number of rows that are left out after `id` */
type Source = (id: number, count: number, skip?: number) => Promise<readonly Entry[]>;

const byId =
  (
    list: (id: number, count: number, skip?: number) => Promise<number[]>,
    path: (id: number) => string,
  ): Source =>
  async (after, count, skip) =>
    (await list(after, count, skip)).map((id) => ({ id, path: path(id) }));

/** Pages that no table lists. */
const FIXED = [
  PATHS.home,
  PATHS.books,
  PATHS.movies,
  PATHS.events,
  ...CHART_NAMES.map((name) => to.chart(name)),
];

/**
 * Files for search engines: site maps, robots.txt and security.txt. The site maps count as pages; the
 * files that lead to them do not, so that a crawler within its limit always reads them.
 */
@Controller()
export class SitemapController {
  private readonly sources: ReadonlyMap<string, Source>;

  constructor(
    books: BookPagesRepository,
    movies: MoviePagesRepository,
    events: EventPagesRepository,
    notes: NotePagesRepository,
    users: UserPagesRepository,
    private readonly settings: Settings,
    private readonly site: SitePages,
  ) {
    this.sources = new Map<string, Source>([
      ['books', byId((...of) => books.listIdsAfter(...of), to.book)],
      ['movies', byId((...of) => movies.listSubjectIdsAfter(...of), to.subject)],
      ['celebrities', byId((...of) => movies.listCelebrityIdsAfter(...of), to.celebrity)],
      ['events', byId((...of) => events.listIdsAfter(...of), to.event)],
      ['notes', byId((...of) => notes.listIdsAfter(...of), to.note)],
      [
        'people',
        async (...of) =>
          (await users.listUidsAfter(...of)).map(({ id, uid }) => ({ id, path: to.person(uid) })),
      ],
    ]);
  }

  /** The index of the site maps. Each of them begins after the id in its address. */
  @Get('sitemap.xml')
  @UseGuards(SitePageGuard)
  @Public()
  @RespondsPage()
  async index(@Res() response: Response): Promise<void> {
    await this.stream(response, 'sitemapindex', this.maps());
  }

  private async *maps(): AsyncGenerator<string> {
    const map = (path: string): string =>
      `<sitemap><loc>${escapeXml(this.site.absolute(path))}</loc></sitemap>\n`;
    yield map('/sitemap/pages/0.xml');
    for (const [kind, source] of this.sources) {
      let after: Entry | undefined = (await source(0, 1))[0] && { id: 0, path: '' };
      while (after) {
        yield map(`/sitemap/${kind}/${after.id}.xml`);
        const [last, next] = await source(after.id, 2, MAX_ADDRESSES - 1);
        after = next && last;
      }
    }
  }

  @Get('sitemap/:name/:id.xml')
  @UseGuards(SitePageGuard)
  @Public()
  @RespondsPage()
  async map(
    @Res() response: Response,
    @NameParam('name') kind: string,
    @IdParam('id') after: number,
  ): Promise<void> {
    const source = this.sources.get(kind);
    if (!source && kind !== 'pages') throw new ApiError('uriNotFound');
    await this.stream(response, 'urlset', source ? this.addresses(source, after) : this.fixed());
  }

  private readonly address = (path: string): string =>
    `<url><loc>${escapeXml(this.site.absolute(path))}</loc></url>\n`;

  // eslint-disable-next-line @typescript-eslint/require-await
  private async *fixed(): AsyncGenerator<string> {
    yield FIXED.map(this.address).join('');
  }

  private async *addresses(source: Source, start: number): AsyncGenerator<string> {
    let after = start;
    for (let written = 0; written < MAX_ADDRESSES; written += BATCH) {
      const entries = await source(after, BATCH);
      yield entries.map(({ path }) => this.address(path)).join('');
      if (entries.length < BATCH) return;
      after = entries.at(-1)?.id ?? after;
    }
  }

  /** Writes the parts as they come. It waits for clients that read slowly. */
  private async stream(
    response: Response,
    root: string,
    parts: AsyncGenerator<string>,
  ): Promise<void> {
    // The first part is read before the headers are sent, so that an error has its status.
    const first = await parts.next();
    response.setHeader('Content-Type', 'application/xml; charset=utf-8');
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.write(`<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns="${NAMESPACE}">\n`);
    if (first.done !== true) response.write(first.value);
    for await (const part of parts) {
      if (response.destroyed) return;
      if (!response.write(part)) await waitForDrain(response);
    }
    response.end(`</${root}>\n`);
  }

  @Get('robots.txt')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  robots(): string {
    const closed = ['/admin', '/service/', '/v2/', PATHS.search];
    return [
      'User-agent: *',
      ...closed.map((path) => `Disallow: ${path}`),
      `Allow: ${PATHS.home}`,
      '',
      `Sitemap: ${this.site.absolute('/sitemap.xml')}`,
      '',
    ].join('\n');
  }

  /** Where to report vulnerabilities (RFC 9116). @throws ApiError 1001 without `CONTACT` */
  @Get('.well-known/security.txt')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  security(): string {
    const { CONTACT: contact } = this.settings;
    if (contact === '') throw new ApiError('uriNotFound');
    const isMail = contact.includes('@') && !/^[a-z]+:/i.test(contact);
    // RFC 9116 requires an expiry. Each response moves it, so that it is always half a year away.
    const expires = new Date(Date.now() + 180 * 24 * 3600 * 1000).toISOString().slice(0, 10);
    return [
      `Contact: ${isMail ? `mailto:${contact}` : contact}`,
      `Expires: ${expires}T00:00:00Z`,
      'Preferred-Languages: en, zh',
      `Canonical: ${this.site.absolute('/.well-known/security.txt')}`,
      '',
    ].join('\n');
  }
}
