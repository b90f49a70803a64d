import { Controller, Get } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { QueryInput } from '../api/input/input';
import { MISSING_MEMBER } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { described, ref, str } from '../api/resources/resource';
import {
  Errors,
  Cached,
  CurrentTier,
  ExpensiveRoute,
  Extension,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  Tiers,
} from '../api/routing/route';
import { SearchInput } from '../text/search.input';
import { SubjectsInput } from './movies.input';
import { SimpleSubject } from './movies.resources';
import {
  type CommentRow,
  type PhotoRow,
  type ReviewRow,
  type SimpleSubjectRow,
  type SubjectRow,
} from './movies.rows';
import { Photo } from './photos.resources';
import { MovieComment, MovieReview } from './reviews.resources';
import { SubjectIdParam } from './subject-id-param';
import { SubjectSearchService } from './search.service';
import { Subject } from './subjects.resources';
import { SubjectsService } from './subjects.service';
import { MOVIE_CONTENT } from './movies.cache';

const SUBJECT = { extra: { subject: described(ref(SimpleSubject), 'The film or series.') } };
const WORDS = {
  extra: {
    query: described(str(), 'Words of the search; empty without `q`.'),
    tag: described(str(), 'Tag of the search; empty without `tag`.'),
  },
};

/** Movies and series (specification section 4.3). */
@Controller('v2/movie')
export class SubjectsController {
  constructor(
    private readonly subjects: SubjectsService,
    private readonly searches: SubjectSearchService,
  ) {}

  @Get('search')
  @Cached(MOVIE_CONTENT)
  @ExpensiveRoute('search')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @RespondsList('subjects', SimpleSubject, WORDS)
  @Errors('missingArgs')
  @OperationId('searchMovies')
  @Summary('Search films and series by words, by tag, or by both')
  search(
    @QueryInput(SearchInput) input: SearchInput,
    @Paging() page: PageQuery,
    @CurrentTier() tier: Tier,
  ): Promise<Page<SimpleSubjectRow>> {
    return this.searches.search(input, page, tier);
  }

  @Get('subject/list')
  @Cached(MOVIE_CONTENT)
  @Extension()
  @OperationId('listMoviesByIds')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @RespondsList('subjects', Subject, { after: MISSING_MEMBER })
  @Summary('Films and series by their ids, in the order of the request')
  list(
    @QueryInput(SubjectsInput) { ids }: SubjectsInput,
    @CurrentTier() tier: Tier,
  ): Promise<Page<SubjectRow>> {
    return this.subjects.list(ids, tier);
  }

  @Get('subject/:id')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @Responds(Subject)
  @OperationId('getMovie')
  @Summary('A film or series')
  getSubject(@SubjectIdParam('id') id: number, @CurrentTier() tier: Tier): Promise<SubjectRow> {
    return this.subjects.getSubject(id, tier);
  }

  @Get('subject/:id/photos')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance', 'premium')
  @RespondsList('photos', Photo, SUBJECT)
  @OperationId('listMoviePhotos')
  @Summary('Photos of a film or series, newest first')
  photos(
    @SubjectIdParam('id') id: number,
    @Paging({ count: 10 }) page: PageQuery,
  ): Promise<Page<PhotoRow>> {
    return this.subjects.photos(id, page);
  }

  @Get('subject/:id/reviews')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance', 'premium')
  @RespondsList('reviews', MovieReview, SUBJECT)
  @OperationId('listMovieReviews')
  @Summary('Reviews of a film or series, most useful first')
  reviews(
    @SubjectIdParam('id') id: number,
    @Paging({ count: 10 }) page: PageQuery,
  ): Promise<Page<ReviewRow>> {
    return this.subjects.reviews(id, page);
  }

  @Get('subject/:id/comments')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance', 'premium')
  @RespondsList('comments', MovieComment, SUBJECT)
  @OperationId('listMovieComments')
  @Summary('Short comments on a film or series, most useful first')
  comments(
    @SubjectIdParam('id') id: number,
    @Paging({ count: 10 }) page: PageQuery,
  ): Promise<Page<CommentRow>> {
    return this.subjects.comments(id, page);
  }
}
