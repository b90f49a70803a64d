import { Controller, Get, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { Cached, IdParam, Public, RespondsPage } from '../../api/routing/route';
import { Celebrity, Work } from '../../movies/celebrities.resources';
import { CelebritiesService } from '../../movies/celebrities.service';
import { MoviePagesRepository } from '../../movies/movie-pages.repository';
import { SimpleCelebrity } from '../../movies/movies.resources';
import { Photo } from '../../movies/photos.resources';
import { crumbs, emptyState } from '../../web/components';
import { html, type Html } from '../../web/html';
import { PATHS } from '../../web/layout';
import { redirect } from '../../web/page-response';
import { shorten } from '../../text/shorten';
import { grid, inOwnLanguage, MAX_NAME } from '../../web/record-components';
import { byline, list, subjectCard, translated } from '../parts';
import { GoneInterceptor } from '../gone.interceptor';
import { MOVIE_CONTENT } from '../../movies/movies.cache';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { listPage, listPages, SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { celebrityData } from './movie.data';
import { celebrityBody } from './celebrity.pages';
import { pathOf, photoGrid, webAddress } from './movie.pages';

/** Pages of the people of films, and of single photos. */
@UseGuards(SitePageGuard)
@UseInterceptors(GoneInterceptor)
@Controller('movie')
export class CelebrityPagesController {
  constructor(
    private readonly celebrities: CelebritiesService,
    private readonly reads: MoviePagesRepository,
    private readonly site: SitePages,
  ) {}

  @Get('celebrity/:id')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async celebrity(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const [row, works] = await Promise.all([
      this.celebrities.getCelebrity(id, 'advance'),
      this.celebrities.works(id, { start: 0, count: 6 }),
    ]);
    const person = this.site.json(Celebrity, row);
    await this.site.send(request, response, reader, {
      title: person.name,
      description: person.summary || reader.words.movie.describePerson(person.name),
      path: to.celebrity(id),
      area: PATHS.movies,
      type: 'profile',
      image: person.avatars.large,
      data: [celebrityData(person)],
      json: `/v2/movie/celebrity/${id}`,
      body: celebrityBody(
        reader,
        person,
        works.items.map((one) => ({ card: this.workCard(reader, one) })),
      ),
    });
  }

  private workCard(reader: SiteReader, row: unknown): Html {
    const { roles, subject } = this.site.json(Work, row);
    return subjectCard(reader, subject, [
      subject.year,
      subject.year !== '' && ' · ',
      list(
        reader,
        roles.map((role) => translated(reader.words.movie.roles, role)),
      ),
    ]);
  }

  /** The address for mobile screens: the page fits every screen. */
  @Get('celebrity/:id/mobile')
  @Public()
  @RespondsPage()
  mobile(@Res() response: Response, @IdParam('id') id: number): void {
    redirect(response, to.celebrity(id));
  }

  @Get('celebrity/:id/works')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  async works(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const page = listPage(request);
    const found = await this.celebrities.works(id, page);
    const cards = found.items.map((one) => this.workCard(reader, one));
    const person = this.site.json(SimpleCelebrity, found.extra?.celebrity);
    const path = `${to.celebrity(id)}works/`;
    await this.sendBelow(request, response, reader, {
      ...{ id, name: person.name, title: reader.words.movie.worksOf(person.name) },
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      body: html`${cards.length > 0 && grid(cards)}${listPages(reader, { ...page, total: found.total }, path)}`,
    });
  }

  @Get('celebrity/:id/photos')
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
    const found = await this.celebrities.photos(id, page);
    const person = this.site.json(SimpleCelebrity, found.extra?.celebrity);
    const photos = found.items.map((one) => this.site.json(Photo, one));
    const title = words.photosOf(person.name);
    const path = `${to.celebrity(id)}photos/`;
    const pages = listPages(reader, { ...page, total: found.total }, path);
    await this.sendBelow(request, response, reader, {
      ...{ id, name: person.name, title },
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      body:
        found.total > 0
          ? html`${photos.length > 0 && photoGrid(photos, title)}${pages}`
          : emptyState(words.noPhotos),
    });
  }

  private sendBelow(
    request: ApiRequest,
    response: Response,
    reader: SiteReader,
    below: { id: number; name: string; title: string; path: string; body: Html },
  ): Promise<void> {
    const { id, name, title, path, body } = below;
    return this.site.send(request, response, reader, {
      ...{ title, path, description: title, area: PATHS.movies },
      body: html`${crumbs(reader.words.page.path, [
          { href: PATHS.movies, label: reader.words.movie.films },
          { href: to.celebrity(id), label: inOwnLanguage(name) },
        ])}
        <h1>${title}</h1>
        ${body}`,
    });
  }

  @Get('photo/:id')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  photo(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    return this.showPhoto(request, response, id);
  }

  @Get('celebrity/:id/photo/:photo')
  @Cached(MOVIE_CONTENT)
  @Public()
  @RespondsPage()
  celebrityPhoto(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
    @IdParam('photo') photo: number,
  ): Promise<void> {
    return this.showPhoto(request, response, photo, id);
  }

  private async showPhoto(
    request: ApiRequest,
    response: Response,
    id: number,
    celebrityId?: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { movie: words, page } = reader.words;
    const row = await this.reads.findPhoto(id);
    if (!row || (celebrityId !== undefined && Number(row.celebrity_id) !== celebrityId)) {
      throw new ApiError('uriNotFound');
    }
    const photo = this.site.json(Photo, row);
    const path = pathOf(photo.alt);
    const beside = (other: string): string => path.replace(/\d+\/$/, `${other}/`);
    const owner =
      row.celebrity_id === null ? to.subject(photo.subject_id) : to.celebrity(photo.subject_id);
    const title = words.photoOf(shorten(row.owner, MAX_NAME));
    const image = webAddress(photo.image);
    const known = photo.position > 0 && photo.photos_count > 0;
    await this.site.send(request, response, reader, {
      title: known ? `${title} (${photo.position}/${photo.photos_count})` : `${title} ${photo.id}`,
      description: photo.desc || title,
      path,
      area: PATHS.movies,
      image,
      data: [
        { '@type': 'ImageObject', url: photo.alt, contentUrl: photo.image, caption: photo.desc },
      ],
      body: html`${crumbs(page.path, [
          { href: PATHS.movies, label: words.films },
          { href: owner, label: inOwnLanguage(row.owner) },
          { href: `${owner}photos/`, label: words.photos },
        ])}
        <figure class="photo-page">
          <h1 class="hidden">${title}</h1>
          ${image !== undefined && html`<img src="${image}" alt="${photo.desc || title}" fetchpriority="high" />`}
          <figcaption>
            ${photo.desc !== '' && inOwnLanguage(photo.desc)}
            ${known && html`<p>${words.position(photo.position, photo.photos_count)}</p>`}
          </figcaption>
        </figure>
        ${photo.author.uid !== '' && byline(reader, photo.author, photo.created_at)}
        <nav class="pages" aria-label="${page.label}">
          ${photo.prev_photo !== '' && html`<a rel="prev" href="${beside(photo.prev_photo)}">← ${words.previous}</a>`}
          <a href="${owner}photos/">${words.album}</a>
          ${photo.next_photo !== '' && html`<a rel="next" href="${beside(photo.next_photo)}">${words.next} →</a>`}
        </nav>`,
    });
  }
}
