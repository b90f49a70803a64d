import { Controller, Get } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { described, ref } from '../api/resources/resource';
import {
  Cached,
  CurrentTier,
  IdParam,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
  Tiers,
} from '../api/routing/route';
import { Celebrity, Work } from './celebrities.resources';
import { CelebritiesService } from './celebrities.service';
import { SimpleCelebrity } from './movies.resources';
import { type CelebrityRow, type PhotoRow, type WorkRow } from './movies.rows';
import { Photo } from './photos.resources';
import { MOVIE_CONTENT } from './movies.cache';

const CELEBRITY = { extra: { celebrity: described(ref(SimpleCelebrity), 'The celebrity.') } };

/** Celebrities; not available to the premium tier (specification section 2.8, D14). */
@Controller('v2/movie/celebrity')
export class CelebritiesController {
  constructor(private readonly celebrities: CelebritiesService) {}

  @Get(':id')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @Responds(Celebrity)
  @OperationId('getCelebrity')
  @Summary('A celebrity')
  getCelebrity(@IdParam('id') id: number, @CurrentTier() tier: Tier): Promise<CelebrityRow> {
    return this.celebrities.getCelebrity(id, tier);
  }

  @Get(':id/works')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @RespondsList('works', Work, CELEBRITY)
  @OperationId('listCelebrityWorks')
  @Summary("A celebrity's works, and their roles in them")
  works(@IdParam('id') id: number, @Paging({ count: 5 }) page: PageQuery): Promise<Page<WorkRow>> {
    return this.celebrities.works(id, page);
  }

  @Get(':id/photos')
  @Cached(MOVIE_CONTENT)
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @RespondsList('photos', Photo, CELEBRITY)
  @OperationId('listCelebrityPhotos')
  @Summary('Photos of a celebrity, newest first')
  photos(
    @IdParam('id') id: number,
    @Paging({ count: 10 }) page: PageQuery,
  ): Promise<Page<PhotoRow>> {
    return this.celebrities.photos(id, page);
  }
}
