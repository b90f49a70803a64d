import { Controller, Get, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { mapInSlices } from '../../api/resources/slices';
import { IdParam, NameParam, Public, RespondsPage } from '../../api/routing/route';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { OwnReview } from '../../books/books.resources';
import { BooksService } from '../../books/books.service';
import { CitiesService } from '../../cities/cities.service';
import { Settings } from '../../config/settings';
import { Event } from '../../events/events.resources';
import { EventsService } from '../../events/events.service';
import { MovieReview } from '../../movies/reviews.resources';
import { type SimpleSubjectRow } from '../../movies/movies.rows';
import { SubjectsService } from '../../movies/subjects.service';
import { NotesService } from '../../notes/notes.service';
import { EXCERPT_SOURCE, headOf } from '../../text/head';
import { htmlText } from '../../text/html-text';
import { plainBeginning } from '../../text/markup';
import { shorten } from '../../text/shorten';
import { UserPagesRepository } from '../../users/user-pages.repository';
import { ATOM_TYPE, atomFeed, type AtomEntry } from '../../web/atom';
import { sendCacheable } from '../../web/page-response';
import { MAX_NAME } from '../../web/record-components';
import { Note } from '../notes/note.pages';
import { GoneInterceptor } from '../gone.interceptor';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { SitePages, siteReader } from '../site-pages.service';
import { instantOf } from './instants';
import { NO_USER } from '../visitor';

/** Entries of a feed. */
const PAGE = { start: 0, count: 30 };

/** Characters of a summary. */
const SUMMARY = 500;

interface FeedContent {
  readonly title: string;
  readonly path: string;
  readonly page: string;
  readonly entries: readonly AtomEntry[];
}

/** Atom feeds of notes, reviews and events. */
@UseGuards(SitePageGuard)
@UseInterceptors(GoneInterceptor)
@Controller()
export class FeedsController {
  constructor(
    private readonly users: UserPagesRepository,
    private readonly notes: NotesService,
    private readonly books: BooksService,
    private readonly reviews: BookPagesRepository,
    private readonly subjects: SubjectsService,
    private readonly events: EventsService,
    private readonly cities: CitiesService,
    private readonly settings: Settings,
    private readonly site: SitePages,
  ) {}

  private readonly instant = (time: string): Date => instantOf(time, this.settings.TIME_ZONE);

  private async send(
    request: ApiRequest,
    response: Response,
    { title, path, page, entries }: FeedContent,
  ): Promise<void> {
    const [self, alternate] = [this.site.absolute(path), this.site.absolute(page)];
    response.append('Vary', 'Accept-Language, Cookie');
    response.setHeader('Cache-Control', 'no-cache');
    const feed = atomFeed({ title: shorten(title, MAX_NAME), self, page: alternate, entries });
    await sendCacheable(request, response, feed, ATOM_TYPE);
  }

  @Get('people/:name/notes.atom')
  @Public()
  @RespondsPage()
  async notesOf(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') uid: string,
  ): Promise<void> {
    const user = await this.users.findUser(uid);
    if (!user) throw new ApiError('peopleNotFound');
    const format = { format: 'abstract' } as const;
    const found = await this.notes.listUserNotes(Number(user.id), format, PAGE, NO_USER);
    const entries = await mapInSlices(found.items, (row) => {
      const note = this.site.json(Note, row);
      return {
        ...{
          url: note.alt,
          title: note.title,
          author: shorten(user.name, MAX_NAME),
          summary: note.content,
        },
        published: this.instant(note.publish_time),
        updated: this.instant(note.update_time),
      };
    });
    const { words } = siteReader(request);
    await this.send(request, response, {
      title: words.feed.notes(user.name),
      path: `${to.person(uid)}notes.atom`,
      page: to.person(uid),
      entries,
    });
  }

  @Get('book/:id/reviews.atom')
  @Public()
  @RespondsPage()
  async bookReviews(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const [book, found] = await Promise.all([
      this.books.getBook(id, ANONYMOUS) as Promise<unknown> as Promise<{ title: string }>,
      this.reviews.listBookReviews(id, PAGE),
    ]);
    const entries = await mapInSlices(found.items, (row) => {
      const review = this.site.json(OwnReview, row);
      return {
        ...{ url: review.alt, title: review.title, author: review.author.name },
        summary: shorten(plainBeginning(row.content), SUMMARY),
        published: this.instant(review.published),
        updated: this.instant(review.updated),
      };
    });
    await this.send(request, response, {
      title: siteReader(request).words.feed.reviews(book.title),
      path: `${to.book(id)}reviews.atom`,
      page: to.book(id),
      entries,
    });
  }

  @Get('movie/subject/:id/reviews.atom')
  @Public()
  @RespondsPage()
  async movieReviews(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const found = await this.subjects.reviews(id, PAGE);
    const { title } = found.extra?.subject as SimpleSubjectRow;
    const entries = await mapInSlices(found.items, (row) => {
      const review = this.site.json(MovieReview, row);
      return {
        ...{ url: review.alt, title: review.title, author: review.author.name },
        summary: shorten(review.summary, SUMMARY),
        published: this.instant(review.created_at),
        updated: this.instant(review.updated_at),
      };
    });
    await this.send(request, response, {
      title: siteReader(request).words.feed.reviews(title),
      path: `${to.subject(id)}reviews.atom`,
      page: to.subject(id),
      entries,
    });
  }

  @Get('event/city/:name/events.atom')
  @Public()
  @RespondsPage()
  async cityEvents(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') name: string,
  ): Promise<void> {
    const city = await this.cities.byKey(name);
    if (!city) throw new ApiError('uriNotFound');
    const found = await this.events.list({ loc: String(city.id), radius: 0 }, PAGE, ANONYMOUS);
    const entries = await mapInSlices(found.items, (row) => {
      const event = this.site.json(Event, row);
      return {
        ...{ url: event.alt, title: event.title, author: event.owner.name },
        summary: shorten(htmlText(headOf(event.content, EXCERPT_SOURCE)), SUMMARY),
        published: new Date(row.updated * 1000),
      };
    });
    await this.send(request, response, {
      title: siteReader(request).words.feed.events(city.name),
      path: `/event/city/${city.uid}/events.atom`,
      page: to.events({ loc: city.uid }),
      entries,
    });
  }
}
