import { Injectable } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { requestedIds, pageOfRequested } from '../api/resources/list-by-ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { MergedIds } from '../api/routing/merged-ids';
import { orNotFound } from './lists';
import { type LegacyMovieRow } from './legacy-movie.resources';
import { type CommentRow, type PhotoRow, type ReviewRow, type SubjectRow } from './movies.rows';
import { projectionOf } from './movies.sql';
import { PhotosRepository } from './photos.repository';
import { ReviewsRepository } from './reviews.repository';
import { SubjectsRepository } from './subjects.repository';

/** Movies and series with their photos, reviews and comments: error 1001 when not found (D37). */
@Injectable()
export class SubjectsService {
  constructor(
    private readonly subjects: SubjectsRepository,
    private readonly pictures: PhotosRepository,
    private readonly writing: ReviewsRepository,
    private readonly merged: MergedIds,
  ) {}

  async getSubject(id: number, tier: Tier): Promise<SubjectRow> {
    return orNotFound(await this.subjects.findSubjectById(id, projectionOf(tier)));
  }

  /** A subject with its tags, for old clients (D121). */
  async getLegacyMovie(id: number, tier: Tier): Promise<LegacyMovieRow> {
    return orNotFound(await this.subjects.findLegacyMovieById(id, projectionOf(tier)));
  }

  /** Subjects by ids, in the order of the request (D46). */
  async list(ids: readonly string[], tier: Tier): Promise<Page<SubjectRow>> {
    const current = requestedIds(ids).map((id) => id && this.merged.current('movie', id));
    return pageOfRequested(ids, await this.subjects.listByIds(current, projectionOf(tier)));
  }

  async photos(id: number, page: PageQuery): Promise<Page<PhotoRow>> {
    return orNotFound(await this.pictures.of('subject', id, page));
  }

  async reviews(id: number, page: PageQuery): Promise<Page<ReviewRow>> {
    return orNotFound(await this.writing.listSubjectReviews(id, page));
  }

  async comments(id: number, page: PageQuery): Promise<Page<CommentRow>> {
    return orNotFound(await this.writing.commentsOn(id, page));
  }
}
