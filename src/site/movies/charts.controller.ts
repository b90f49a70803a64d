import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { isDay } from '../../api/input/time';
import { Cached, NameParam, Public, RespondsPage } from '../../api/routing/route';
import { type CityKey } from '../../cities/cities.repository';
import { CitiesService } from '../../cities/cities.service';
import { Settings } from '../../config/settings';
import { CHART_NAMES, type ChartName } from '../../movies/chart-names';
import { BoxEntry, WeeklyEntry } from '../../movies/charts.resources';
import { ChartsService } from '../../movies/charts.service';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { SimpleSubject } from '../../movies/movies.resources';
import { chips, crumbs, emptyState, sectionHead, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { badge } from '../../web/components';
import { shorten } from '../../text/shorten';
import { cover, grid, inOwnLanguage, MAX_LISTED_NAME, rating } from '../../web/record-components';
import { subjectCard, type SubjectJson } from '../parts';
import { MOVIE_CONTENT } from '../../movies/movies.cache';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { withQuery } from '../../web/with-query';
import {
  listPages,
  PAGE_SIZE,
  listPage,
  queryText,
  SitePages,
  siteReader,
  type SiteReader,
} from '../site-pages.service';
import { simpleMovieData } from './movie.data';

/** Number of earlier snapshots that a chart links to. */
const SNAPSHOTS = 12;

/** Charts that anonymous callers of the API may read; the others need a scope of a higher tier. */
const PUBLIC_CHARTS: ReadonlySet<ChartName> = new Set(['top250', 'us_box']);

interface Ranked {
  readonly rank: number;
  readonly subject: SubjectJson;
  readonly more?: Piece;
}

interface ChartView {
  readonly items: readonly Ranked[];
  readonly pages?: Piece;
  /** The snapshot in words, such as the days of the box office. */
  readonly lead?: Piece;
}

const isChart = (name: string): name is ChartName =>
  (CHART_NAMES as readonly string[]).includes(name);

const ranks = (reader: SiteReader, items: readonly Ranked[]): Html =>
  html`<ol class="ranks">
    ${items.map(
      ({ rank, subject, more }) =>
        html`<li>
          <span class="rank">${rank}</span>
          <a href="${to.subject(subject.id)}" tabindex="-1" aria-hidden="true"
            >${cover({ src: subject.images.medium, alt: '', shape: 'poster' })}</a
          >
          <div>
            <h2><a href="${to.subject(subject.id)}">${inOwnLanguage(subject.title)}</a></h2>
            <p>
              ${subject.original_title !== subject.title && inOwnLanguage(subject.original_title)}
              ${subject.year}
            </p>
            <p>${rating(subject.rating.average, 10, reader.words.rating)} ${more}</p>
          </div>
        </li>`,
    )}
  </ol>`;

/** Pages of films without a subject: the newest, and the charts with their snapshots. */
@UseGuards(SitePageGuard)
@Controller('movie')
export class ChartPagesController {
  constructor(
    private readonly charts: ChartsService,
    private readonly cities: CitiesService,
    private readonly settings: Settings,
    private readonly reads: MoviePagesRepository,
    private readonly site: SitePages,
  ) {}

  @Get()
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async films(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const reader = siteReader(request);
    const { movie: words } = reader.words;
    const first = { start: 0, count: 12 };
    const [theaters, soon, best, newest] = await Promise.all([
      this.charts.getInTheaters(undefined, first),
      this.charts.comingSoon(first),
      this.charts.top250(first, 'advance'),
      this.reads.listNewest(first.count),
    ]);
    const part = (title: string, rows: readonly unknown[], chart?: ChartName): Piece =>
      rows.length > 0 &&
      html`${sectionHead(title, chart && { href: to.chart(chart), label: reader.words.page.all })}
      ${grid(rows.map((row) => subjectCard(reader, this.site.json(SimpleSubject, row))))}`;
    const [shown] = [...theaters.items, ...newest];
    const firstPoster = shown && this.site.json(SimpleSubject, shown).images.large;
    await this.site.send(request, response, reader, {
      title: words.films,
      description: `${words.films} · ${Object.values(words.chart).join(' · ')}`,
      path: PATHS.movies,
      area: PATHS.movies,
      image: firstPoster,
      body: html`<h1>${words.films}</h1>
        ${this.chartTabs(reader, undefined)}
        ${part(words.chart.in_theaters, theaters.items, 'in_theaters')}
        ${part(words.chart.coming_soon, soon.items, 'coming_soon')}
        ${part(words.chart.top250, best.items, 'top250')}${part(words.newest, newest)}`,
    });
  }

  private chartTabs({ words }: SiteReader, current: ChartName | undefined): Html {
    return tabs(
      words.movie.charts,
      CHART_NAMES.map((name) => ({
        ...{ href: to.chart(name), label: words.movie.chart[name], current: name === current },
      })),
    );
  }

  @Get('chart/:name')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async chart(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') name: string,
  ): Promise<void> {
    if (!isChart(name)) throw new ApiError('uriNotFound');
    const reader = siteReader(request);
    const { movie: words, page } = reader.words;
    const date = queryText(request, 'date');
    const city = name === 'in_theaters' ? queryText(request, 'city') : undefined;
    const place =
      name === 'in_theaters'
        ? await this.cities.find(city ?? this.settings.DEFAULT_CITY)
        : undefined;
    const [view, dates] = await Promise.all([
      date === undefined
        ? this.latest(request, reader, name, city)
        : this.snapshot(reader, name, date, place),
      this.reads.listSnapshotDates(name, SNAPSHOTS, place?.id),
    ]);
    const lead = view.lead ?? (place && this.cityLead(reader, place));
    const path = to.chart(name);
    const { start } = listPage(request);
    const title = words.chart[name];
    const other = dates.length > 1 || date !== undefined;
    await this.site.send(request, response, reader, {
      title: date === undefined ? title : `${title} · ${date}`,
      description: [title, ...view.items.slice(0, 5).map(({ subject }) => subject.title)].join(
        ' · ',
      ),
      path: withQuery(path, { date, city, start: start > 0 ? String(start) : undefined }),
      area: PATHS.movies,
      image: view.items[0]?.subject.images.large,
      json: date === undefined && PUBLIC_CHARTS.has(name) ? `/v2/movie/${name}` : undefined,
      data: [
        {
          '@type': 'ItemList',
          name: title,
          itemListElement: view.items.map(({ rank, subject }) => ({
            ...{ '@type': 'ListItem', position: rank, item: simpleMovieData(subject) },
          })),
        },
      ],
      body: html`${crumbs(page.path, [{ href: PATHS.movies, label: words.films }])}
        <h1>${title}</h1>
        ${this.chartTabs(reader, name)} ${lead !== undefined && html`<p class="lead">${lead}</p>`}
        ${view.items.length > 0 ? ranks(reader, view.items) : view.pages || emptyState(words.emptyChart)}
        ${view.items.length > 0 && view.pages}
        ${
          other &&
          html`${sectionHead(words.earlier)}${chips([
            { href: withQuery(path, { city }), label: words.latest },
            ...dates.map((day) => ({ href: withQuery(path, { date: day, city }), label: day })),
          ])}`
        }`,
    });
  }

  /** @throws ApiError 1001 for an invalid date, or one without a snapshot of the city */
  private async snapshot(
    reader: SiteReader,
    name: ChartName,
    date: string,
    city: CityKey | undefined,
  ): Promise<ChartView> {
    const rows = isDay(date) ? await this.reads.listSnapshot(name, date, city?.id) : [];
    if (rows.length === 0) throw new ApiError('uriNotFound');
    const items = rows.map(({ rank, box, subject }) => ({
      ...{ rank, subject: this.site.json(SimpleSubject, subject) },
      more: box !== null && this.box(reader, box),
    }));
    return { items, lead: city ? `${this.cityLead(reader, city)} · ${date}` : date };
  }

  private readonly box = ({ words, number }: SiteReader, box: number): string =>
    words.movie.box(number(Math.round(box / 100_000) / 10));

  /** The city whose theatres a chart is of; the API's title of the chart has one language. */
  private readonly cityLead = ({ words }: SiteReader, { name }: CityKey): string =>
    words.movie.showingIn(shorten(name, MAX_LISTED_NAME));

  /** The latest snapshot, from the same services as the API. */
  private async latest(
    request: ApiRequest,
    reader: SiteReader,
    name: ChartName,
    city: string | undefined,
  ): Promise<ChartView> {
    const page = listPage(request, PAGE_SIZE);
    const ranked = (rows: readonly unknown[]): Ranked[] =>
      rows.map((row, at) => ({
        rank: page.start + at + 1,
        subject: this.site.json(SimpleSubject, row),
      }));
    switch (name) {
      case 'us_box': {
        const { subjects, date } = await this.charts.usBox('advance');
        const items = subjects.map((row) => {
          const { rank, box, new: isNew, subject } = this.site.json(BoxEntry, row);
          const mark = isNew && html` ${badge(reader.words.movie.isNew)}`;
          return { rank, subject, more: html`${this.box(reader, box)}${mark}` };
        });
        return { items, lead: date };
      }
      case 'weekly': {
        const { subjects } = await this.charts.weekly();
        const items = subjects.map((row) => {
          const { rank, delta, subject } = this.site.json(WeeklyEntry, row);
          const moved = delta > 0 ? `↑${delta}` : delta < 0 ? `↓${-delta}` : '';
          return { rank, subject, more: moved };
        });
        return { items };
      }
      case 'new_movies':
        return { items: ranked((await this.charts.newMovies()).subjects) };
      default: {
        const found = await (name === 'top250'
          ? this.charts.top250(page, 'advance')
          : name === 'in_theaters'
            ? this.charts.getInTheaters(city, page)
            : this.charts.comingSoon(page));
        const pages = listPages(reader, { ...page, total: found.total }, to.chart(name), { city });
        return { items: ranked(found.items), pages };
      }
    }
  }
}
