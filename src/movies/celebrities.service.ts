import { Injectable } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { CelebritiesRepository } from './celebrities.repository';
import { orNotFound } from './lists';
import { type CelebrityRow, type PhotoRow, type WorkRow } from './movies.rows';
import { projectionOf } from './movies.sql';
import { PhotosRepository } from './photos.repository';

/** Celebrities: error 1001 when not found (D37). */
@Injectable()
export class CelebritiesService {
  constructor(
    private readonly celebrities: CelebritiesRepository,
    private readonly pictures: PhotosRepository,
  ) {}

  async getCelebrity(id: number, tier: Tier): Promise<CelebrityRow> {
    return orNotFound(await this.celebrities.findCelebrityById(id, projectionOf(tier)));
  }

  async works(id: number, page: PageQuery): Promise<Page<WorkRow>> {
    return orNotFound(await this.findWorks(id, page));
  }

  /** Works of a celebrity; undefined when the celebrity is not found. */
  findWorks(id: number, page: PageQuery): Promise<Page<WorkRow> | undefined> {
    return this.celebrities.works(id, page);
  }

  async photos(id: number, page: PageQuery): Promise<Page<PhotoRow>> {
    return orNotFound(await this.pictures.of('celebrity', id, page));
  }
}
