import { Controller, Get } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { described, str } from '../api/resources/resource';
import {
  Errors,
  Cached,
  CurrentTier,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  Tiers,
} from '../api/routing/route';
import { BoxOffice, NewMovies, WeeklyChart } from './charts.resources';
import { ChartsService, type Chart } from './charts.service';
import { CityInput } from './movies.input';
import { SimpleSubject } from './movies.resources';
import { type BoxRow, type SimpleSubjectRow, type WeeklyRow } from './movies.rows';
import { MOVIE_CONTENT } from './movies.cache';

const TITLE = { extra: { title: described(str(), 'Title of the chart.') } };

/** Charts of movies and series (specification section 4.3). */
@Controller('v2/movie')
export class ChartsController {
  constructor(private readonly charts: ChartsService) {}

  @Get('top250')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @RespondsList('subjects', SimpleSubject, TITLE)
  @OperationId('listTop250Movies')
  @Summary('The best films')
  top250(
    @Paging({ count: 10 }) page: PageQuery,
    @CurrentTier() tier: Tier,
  ): Promise<Page<SimpleSubjectRow>> {
    return this.charts.top250(page, tier);
  }

  @Get('us_box')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @Responds(BoxOffice)
  @OperationId('listUsBoxOffice')
  @Summary('The North American box office of a weekend')
  usBox(@CurrentTier() tier: Tier): Promise<Chart<BoxRow>> {
    return this.charts.usBox(tier);
  }

  @Get('weekly')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @Responds(WeeklyChart)
  @OperationId('listWeeklyMovies')
  @Summary('What the week thought best of')
  weekly(): Promise<Chart<WeeklyRow>> {
    return this.charts.weekly();
  }

  @Get('new_movies')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @Responds(NewMovies)
  @OperationId('listNewMovies')
  @Summary('New films')
  newMovies(): Promise<Chart<SimpleSubjectRow>> {
    return this.charts.newMovies();
  }

  @Get('in_theaters')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_premium_r')
  @Tiers('premium')
  @RespondsList('subjects', SimpleSubject, TITLE)
  @Errors('targetNotFound')
  @OperationId('listMoviesInTheaters')
  @Summary("Films that a city's theatres show")
  getInTheaters(
    @QueryInput(CityInput) { city }: CityInput,
    @Paging() page: PageQuery,
  ): Promise<Page<SimpleSubjectRow>> {
    return this.charts.getInTheaters(city, page);
  }

  @Get('coming_soon')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_premium_r')
  @Tiers('premium')
  @RespondsList('subjects', SimpleSubject, TITLE)
  @OperationId('listComingSoonMovies')
  @Summary('Films that are to come')
  comingSoon(@Paging() page: PageQuery): Promise<Page<SimpleSubjectRow>> {
    return this.charts.comingSoon(page);
  }
}
