import { Injectable } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { ApiError } from '../api/errors/error-codes';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { CitiesService } from '../cities/cities.service';
import { Settings } from '../config/settings';
import { weekendOf } from './chart-period';
import { ChartsRepository } from './charts.repository';
import { type BoxRow, type SimpleSubjectRow, type WeeklyRow } from './movies.rows';
import { projectionOf } from './movies.sql';

/** A chart without pagination. */
export interface Chart<T> {
  readonly title: string;
  readonly subjects: readonly T[];
}

/** A page of a chart, with its title. */
const titled = <T>(page: Page<T>, title: string): Page<T> => ({ ...page, extra: { title } });

/** Charts, each from its latest snapshot (D36). */
@Injectable()
export class ChartsService {
  constructor(
    private readonly charts: ChartsRepository,
    private readonly cities: CitiesService,
    private readonly settings: Settings,
  ) {}

  async top250(page: PageQuery, tier: Tier): Promise<Page<SimpleSubjectRow>> {
    const found = await this.charts.top250(page, projectionOf(tier));
    return titled(found, this.settings.CHART_TITLE_TOP250);
  }

  async usBox(tier: Tier): Promise<Chart<BoxRow> & { date: string }> {
    const { period, date, entries } = await this.charts.usBox(projectionOf(tier));
    return {
      title: this.settings.CHART_TITLE_US_BOX,
      date: period === '' ? weekendOf(date) : period,
      subjects: entries,
    };
  }

  async weekly(): Promise<Chart<WeeklyRow>> {
    const { entries } = await this.charts.weekly();
    return { title: this.settings.CHART_TITLE_WEEKLY, subjects: entries };
  }

  async newMovies(): Promise<Chart<SimpleSubjectRow>> {
    const { entries } = await this.charts.newMovies();
    return { title: this.settings.CHART_TITLE_NEW_MOVIES, subjects: entries };
  }

  /**
   * Movies in the theaters of a city; the default city without a name.
   * @throws ApiError 1006 when the city is not found (D37)
   */
  async getInTheaters(name: string | undefined, page: PageQuery): Promise<Page<SimpleSubjectRow>> {
    const wanted = name ?? this.settings.DEFAULT_CITY;
    const city = await this.cities.find(wanted);
    if (!city && name !== undefined) {
      throw new ApiError('targetNotFound', { detail: 'city not found' });
    }
    const found = city ? await this.charts.listInTheaters(city.id, page) : slicePage([], page);
    const title = this.settings.CHART_TITLE_IN_THEATERS;
    return titled(
      found,
      title.replaceAll('{city}', () => city?.name ?? wanted),
    );
  }

  async comingSoon(page: PageQuery): Promise<Page<SimpleSubjectRow>> {
    const found = await this.charts.comingSoon(page);
    return titled(found, this.settings.CHART_TITLE_COMING_SOON);
  }
}
