import { Controller, Get } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import {
  Cached,
  CurrentTier,
  Extension,
  OperationId,
  RequireScope,
  Responds,
  Summary,
  Tiers,
} from '../api/routing/route';
import { LegacyMovie, type LegacyMovieRow } from './legacy-movie.resources';
import { MOVIE_CONTENT } from './movies.cache';
import { SubjectIdParam } from './subject-id-param';
import { SubjectsService } from './subjects.service';

/**
 * Films in the representation of the original service, which old clients read (D121). The module
 * registers this controller last, because its path would hide fixed words.
 */
@Controller('v2/movie')
export class LegacyMoviesController {
  constructor(private readonly subjects: SubjectsService) {}

  @Get(':id')
  @Cached(MOVIE_CONTENT)
  @Extension()
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @Responds(LegacyMovie)
  @OperationId('getLegacyMovie')
  @Summary('A film or series in the representation that old clients read')
  getLegacyMovie(
    @SubjectIdParam('id') id: number,
    @CurrentTier() tier: Tier,
  ): Promise<LegacyMovieRow> {
    return this.subjects.getLegacyMovie(id, tier);
  }
}
