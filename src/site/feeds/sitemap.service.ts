import { Injectable } from '@nestjs/common';
import { AddressSemaphore } from '../../api/body/address-semaphore';
import { WaitingTime } from '../../api/body/turn';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { type IdScan, type ScannedId } from '../../database/id-scan';
import { EventPagesRepository } from '../../events/event-pages.repository';
import { CHART_NAMES } from '../../movies/chart-names';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { NotePagesRepository } from '../../notes/note-pages.repository';
import { UserPagesRepository } from '../../users/user-pages.repository';
import { escapeXml } from '../../web/atom';
import { PATHS } from '../../web/layout';
import { to } from '../paths';
import { Refreshed } from '../refreshed';
import { SitePages } from '../site-pages.service';

/** Seconds for which caches keep site maps, and a process keeps their index. */
export const SITEMAP_MAX_AGE_SECONDS = 3600;

/**
 * Rows of a table that one site map covers. sitemaps.org allows 50,000 addresses, but such a file
 * has 3 MB.
 */
export const SITEMAP_ROWS = 5000;

/** Rows of one statement. Rendering yields to other requests in between. */
const BATCH = 1000;

/** Number of site maps that a process renders at once: one for an address. */
const MAX_RENDERED = 2;

/** Milliseconds for which a request waits until its site map is rendered. */
const MAX_WAIT_MS = 10_000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** A table whose rows have pages. */
interface Source {
  readonly findSpan: IdScan['findSpan'];
  /** Paths of the listed rows among the next `count` rows, and the last of these; undefined at the end. */
  readonly list: (
    after: number,
    count: number,
  ) => Promise<{ paths: readonly string[]; last: number | undefined }>;
}

const source = <Row extends ScannedId>(scan: IdScan<Row>, path: (row: Row) => string): Source => ({
  findSpan: (...of) => scan.findSpan(...of),
  list: async (after, count) => {
    const rows = await scan.listRows(after, count);
    return {
      paths: rows.filter(({ listed }) => listed).map(path),
      last: rows.length < count ? undefined : rows.at(-1)?.id,
    };
  },
});

/** Pages that no table lists. */
const FIXED = [
  PATHS.home,
  PATHS.books,
  PATHS.movies,
  PATHS.events,
  ...CHART_NAMES.map((name) => to.chart(name)),
];

const file = (root: string, parts: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns="${NAMESPACE}">\n${parts.join('')}</${root}>\n`;

/** The site maps of the public pages, and their index. */
@Injectable()
export class SitemapService {
  private readonly sources: ReadonlyMap<string, Source>;
  private readonly turns = new AddressSemaphore(MAX_RENDERED);

  /** The index reads all ids of the catalogue. The index of an empty catalogue is not kept. */
  private readonly index = new Refreshed<readonly string[]>(
    SITEMAP_MAX_AGE_SECONDS * 1000,
    () => this.listSitemaps(),
    (paths) => paths.length > 1,
  );

  constructor(
    books: BookPagesRepository,
    movies: MoviePagesRepository,
    events: EventPagesRepository,
    notes: NotePagesRepository,
    users: UserPagesRepository,
    private readonly site: SitePages,
  ) {
    this.sources = new Map([
      ['books', source(books.scanBooks(), ({ id }) => to.book(id))],
      ['movies', source(movies.scanSubjects(), ({ id }) => to.subject(id))],
      ['celebrities', source(movies.scanCelebrities(), ({ id }) => to.celebrity(id))],
      ['events', source(events.scanEvents(), ({ id }) => to.event(id))],
      ['notes', source(notes.scanNotes(), ({ id }) => to.note(id))],
      ['people', source(users.scanUsers(), ({ uid }) => to.person(uid))],
    ]);
  }

  /** The index as XML. A process computes it at most once at a time, and keeps it for an hour. */
  async getIndex(): Promise<string> {
    const paths = await this.index.get();
    return file(
      'sitemapindex',
      paths.map((path) => `<sitemap>${this.location(path)}</sitemap>\n`),
    );
  }

  /**
   * Renders a site map as XML for a request, in its turn.
   *
   * @param after the site map covers the {@link SITEMAP_ROWS} rows after this id
   * @param send the turn ends with its promise
   * @throws ApiError 1001 for an unknown kind, and when the site map has no pages; 999 with 503 if
   *   the turn does not come in time
   */
  async withSitemap(
    request: ApiRequest,
    kind: string,
    after: number,
    send: (text: string) => Promise<void>,
  ): Promise<void> {
    const rows = this.sources.get(kind);
    if (!rows && (kind !== 'pages' || after !== 0)) throw new ApiError('uriNotFound');
    const endTurn = await this.acquireTurn(request);
    try {
      const addresses = rows ? await this.listAddresses(rows, after) : FIXED.map(this.address);
      if (!addresses.some((batch) => batch !== '')) {
        throw new ApiError('uriNotFound', { detail: 'the site map has no pages' });
      }
      await send(file('urlset', addresses));
    } finally {
      endTurn();
    }
  }

  private acquireTurn(request: ApiRequest): Promise<() => void> {
    const { addressKey, presence } = request.context;
    return new WaitingTime(presence, MAX_WAIT_MS).wait((gone) =>
      this.turns.acquire(addressKey, gone),
    );
  }

  private location(path: string): string {
    return `<loc>${escapeXml(this.site.absolute(path))}</loc>`;
  }

  private readonly address = (path: string): string => `<url>${this.location(path)}</url>\n`;

  private async listSitemaps(): Promise<readonly string[]> {
    const paths = ['/sitemap/pages/0.xml'];
    for (const [kind, { findSpan }] of this.sources) {
      let after = 0;
      for (;;) {
        const span = await findSpan(after, SITEMAP_ROWS);
        if (!span) break;
        if (span.listed) paths.push(`/sitemap/${kind}/${after}.xml`);
        after = span.last;
      }
    }
    return paths;
  }

  private async listAddresses({ list }: Source, start: number): Promise<string[]> {
    const addresses: string[] = [];
    let after: number | undefined = start;
    for (let read = 0; read < SITEMAP_ROWS && after !== undefined; read += BATCH) {
      const batch = await list(after, BATCH);
      addresses.push(batch.paths.map(this.address).join(''));
      after = batch.last;
    }
    return addresses;
  }
}
