import { Controller, Get, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { type Page, type PageQuery } from '../../api/resources/page';
import { Cached, IdParam, Public, RespondsPage } from '../../api/routing/route';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { SimpleSubject } from '../../movies/movies.resources';
import { Photo } from '../../movies/photos.resources';
import { MovieComment, MovieReview } from '../../movies/reviews.resources';
import { Subject } from '../../movies/subjects.resources';
import { Work } from '../../movies/celebrities.resources';
import { CelebritiesService } from '../../movies/celebrities.service';
import { SubjectsService } from '../../movies/subjects.service';
import { emptyState } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { redirect } from '../../web/page-response';
import { inOwnLanguage } from '../../web/record-components';
import { byline, given, paragraphs, textLayout, type SubjectJson } from '../parts';
import { GoneInterceptor } from '../gone.interceptor';
import { MOVIE_CONTENT } from '../../movies/movies.cache';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { listPage, listPages, SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { movieData, simpleMovieData } from './movie.data';
import { reviewData } from '../structured-data';
import {
  aboutFilm,
  commentEntries,
  movieReviewEntries,
  photoGrid,
  showingsTable,
  subjectBody,
  subjectCrumbs,
  type FullSubjectJson,
} from './movie.pages';

/** Elements of each list within the page of a film. */
const FIRST: PageQuery = { start: 0, count: 5 };

/** Works of a director, with the film itself. */
const OTHERS: PageQuery = { start: 0, count: 7 };

/** A list of a film's page. */
interface ListOfSubject {
  readonly title: (name: string) => string;
  /** Below the film's path. */
  readonly below: string;
  readonly page: PageQuery;
  readonly found: Page<unknown>;
  readonly content: (subject: SubjectJson) => Piece;
}

/** Pages of films and series. */
@UseGuards(SitePageGuard)
@UseInterceptors(GoneInterceptor)
@Controller('movie')
export class SubjectPagesController {
  constructor(
    private readonly subjects: SubjectsService,
    private readonly celebrities: CelebritiesService,
    private readonly reads: MoviePagesRepository,
    private readonly site: SitePages,
  ) {}

  @Get('subject/:id')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async subject(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const [row, showings, comments, reviews, rank] = await Promise.all([
      this.subjects.getSubject(id, 'advance'),
      this.reads.listShowings(id),
      this.subjects.comments(id, FIRST),
      this.subjects.reviews(id, FIRST),
      this.reads.findRank(id),
    ]);
    const subject = this.site.json(Subject, row);
    const others = await this.othersBy(subject);
    const path = to.subject(id);
    await this.site.send(request, response, reader, {
      title: subject.year === '' ? subject.title : `${subject.title} (${subject.year})`,
      description: subject.summary || reader.words.movie.describe(subject.title, subject.year),
      path,
      area: PATHS.movies,
      type: 'video.movie',
      image: subject.images.large,
      data: [movieData(subject)],
      feeds: [{ title: reader.words.feed.reviews(subject.title), path: `${path}reviews.atom` }],
      json: `/v2/movie/subject/${id}`,
      body: subjectBody(reader, {
        subject,
        showings,
        comments: comments.items.map((one) => this.site.json(MovieComment, one)),
        reviews: reviews.items.map((one) => this.site.json(MovieReview, one)),
        ...{ others, rank },
      }),
    });
  }

  /** Other works of the first director of a film; none if the director has no page. */
  private async othersBy({ id, directors }: FullSubjectJson): Promise<SubjectJson[]> {
    const director = directors[0]?.id ?? null;
    if (director === null) return [];
    const works = await this.celebrities.findWorks(Number(director), OTHERS);
    const subjects = (works?.items ?? []).map((one) => this.site.json(Work, one).subject);
    return subjects.filter((subject) => subject.id !== id).slice(0, OTHERS.count - 1);
  }

  /** The address for mobile screens: the page fits every screen. */
  @Get('subject/:id/mobile')
  @Public()
  @RespondsPage()
  mobile(@Res() response: Response, @IdParam('id') id: number): void {
    redirect(response, to.subject(id));
  }

  @Get('subject/:id/cinema')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async cinema(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const [row, showings] = await Promise.all([
      this.subjects.getSubject(id, 'advance'),
      this.reads.listShowings(id),
    ]);
    const subject = this.site.json(SimpleSubject, row);
    const { movie: words } = reader.words;
    const content =
      showings.length > 0 ? showingsTable(reader, showings) : emptyState(words.noShowings);
    await this.sendBelow(request, response, reader, subject, `${to.subject(id)}cinema/`, {
      title: words.showingsOf(subject.title),
      body: content,
    });
  }

  @Get('subject/:id/photos')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async photos(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { movie: words } = reader.words;
    const page = listPage(request);
    const found = await this.subjects.photos(id, page);
    const photos = found.items.map((one) => this.site.json(Photo, one));
    await this.list(request, response, reader, {
      ...{ title: words.photosOf, below: 'photos/', page, found },
      content: ({ title }) =>
        photos.length > 0 ? photoGrid(photos, words.photosOf(title)) : emptyState(words.noPhotos),
    });
  }

  @Get('subject/:id/reviews')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async reviews(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { movie: words } = reader.words;
    const page = listPage(request);
    const found = await this.subjects.reviews(id, page);
    const reviews = found.items.map((one) => this.site.json(MovieReview, one));
    await this.list(request, response, reader, {
      ...{ title: words.reviewsOf, below: 'reviews/', page, found },
      content: () =>
        reviews.length > 0 ? movieReviewEntries(reader, reviews) : emptyState(words.noReviews),
    });
  }

  @Get('subject/:id/comments')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async comments(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { movie: words } = reader.words;
    const page = listPage(request);
    const found = await this.subjects.comments(id, page);
    const comments = found.items.map((one) => this.site.json(MovieComment, one));
    await this.list(request, response, reader, {
      ...{ title: words.commentsOf, below: 'comments/', page, found },
      content: () =>
        comments.length > 0 ? commentEntries(reader, comments) : emptyState(words.noComments),
    });
  }

  @Get('review/:id')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async review(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const row = await this.reads.findReview(id);
    if (!row) throw new ApiError('uriNotFound');
    const review = this.site.json(MovieReview, row);
    const subject = this.site.json(SimpleSubject, row.subject);
    const { words, number } = reader;
    const title = review.title || words.movie.reviewOf(subject.title);
    await this.site.send(request, response, reader, {
      title,
      description: review.summary || words.movie.reviewOf(subject.title),
      path: to.movieReview(id),
      area: PATHS.movies,
      type: 'article',
      image: subject.images.large,
      data: [
        reviewData({
          ...{ url: review.alt, name: review.title, author: review.author, text: review.summary },
          ...{ published: review.created_at, value: review.rating.value },
          about: simpleMovieData(subject),
        }),
      ],
      body: html`${subjectCrumbs(reader, subject)}
      ${textLayout(
        html`<article>
          <h1>${inOwnLanguage(title)}</h1>
          ${byline(reader, review.author, review.created_at, given(reader, review.rating.value))}
          <div class="prose">${paragraphs(review.summary)}</div>
          <p class="soft">${words.movie.useful(number(review.useful_count))}</p>
          <p>
            <a href="${to.subject(subject.id)}reviews/">${words.movie.reviewsOf(subject.title)}</a>
          </p>
        </article>`,
        aboutFilm(reader, subject),
      )}`,
    });
  }

  private list(
    request: ApiRequest,
    response: Response,
    reader: SiteReader,
    { title, below, page, found, content }: ListOfSubject,
  ): Promise<void> {
    const subject = this.site.json(SimpleSubject, found.extra?.subject);
    const path = `${to.subject(subject.id)}${below}`;
    const pages = listPages(reader, { ...page, total: found.total }, path);
    const canonical = page.start > 0 ? `${path}?start=${page.start}` : path;
    return this.sendBelow(request, response, reader, subject, canonical, {
      title: title(subject.title),
      body: html`${content(subject)}${pages}`,
    });
  }

  private sendBelow(
    request: ApiRequest,
    response: Response,
    reader: SiteReader,
    subject: SubjectJson,
    path: string,
    { title, body }: { readonly title: string; readonly body: Html },
  ): Promise<void> {
    return this.site.send(request, response, reader, {
      ...{ title, path, description: title, area: PATHS.movies, image: subject.images.large },
      data: [simpleMovieData(subject)],
      body: html`${subjectCrumbs(reader, subject)}
        <h1>${title}</h1>
        ${body}`,
    });
  }
}
