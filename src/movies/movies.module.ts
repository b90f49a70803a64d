import { Module } from '@nestjs/common';
import { MergedIdsModule } from '../api/routing/merged-ids.module';
import { CitiesModule } from '../cities/cities.module';
import { StoredSearchesModule } from '../text/stored-searches.module';
import { CelebritiesController } from './celebrities.controller';
import { CelebritiesRepository } from './celebrities.repository';
import { CelebritiesService } from './celebrities.service';
import { ChartsController } from './charts.controller';
import { ChartsRepository } from './charts.repository';
import { ChartsService } from './charts.service';
import { LegacyMoviesController } from './legacy-movies.controller';
import { MoviePagesRepository } from './movie-pages.repository';
import { PhotosRepository } from './photos.repository';
import { ReviewsRepository } from './reviews.repository';
import { SubjectSearchRepository } from './search.repository';
import { SubjectSearchService } from './search.service';
import { SubjectsController } from './subjects.controller';
import { SubjectsRepository } from './subjects.repository';
import { SubjectsService } from './subjects.service';

/** Movies, series and celebrities: search, photos, reviews, charts (specification section 4.3). */
@Module({
  imports: [MergedIdsModule, CitiesModule, StoredSearchesModule],
  controllers: [
    SubjectsController,
    CelebritiesController,
    ChartsController,
    // Last: its path with an id would hide the words of the others.
    LegacyMoviesController,
  ],
  providers: [
    SubjectsRepository,
    SubjectsService,
    SubjectSearchRepository,
    SubjectSearchService,
    CelebritiesRepository,
    CelebritiesService,
    PhotosRepository,
    ReviewsRepository,
    ChartsRepository,
    ChartsService,
    MoviePagesRepository,
  ],
  exports: [
    SubjectsService,
    SubjectSearchService,
    CelebritiesService,
    ChartsService,
    MoviePagesRepository,
  ],
})
export class MoviesModule {}
