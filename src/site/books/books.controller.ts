import { Controller, Get, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { type ApiRequest } from '../../api/http/request-context';
import {
  Cached,
  ExpensiveRoute,
  IdParam,
  NameParam,
  Public,
  RespondsPage,
  TextParam,
} from '../../api/routing/route';
import { ApiError } from '../../api/errors/error-codes';
import { MAX_LINE } from '../../api/input/text-limits';
import { AnnotationsService } from '../../books/annotations.service';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { Book, OwnReview } from '../../books/books.resources';
import { type BookRow } from '../../books/books.rows';
import { BooksService } from '../../books/books.service';
import { SearchService } from '../../books/search.service';
import { emptyState } from '../../web/components';
import { shorten } from '../../text/shorten';
import { PATHS } from '../../web/layout';
import { MAX_NAME } from '../../web/record-components';
import { GoneInterceptor } from '../gone.interceptor';
import { BOOK_PAGE, bookKey, RELATED_MS, seriesKey } from '../pages.cache';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { listPage, listPages, SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { bookData } from '../structured-data';
import { bookBody } from './book.pages';
import {
  annotationEntries,
  bookCrumbs,
  bookList,
  PageAnnotation,
  reviewEntries,
} from './book.texts';
import { SimpleUser } from '../../users/users.resources';
import { html } from '../../web/html';

/** Elements of each list within the page of a book. */
const FIRST: { readonly start: number; readonly count: number } = { start: 0, count: 5 };

/** Books in a row below a book, and found with its tag, of which some may be in the series. */
const ROW = 6;
const SIMILAR = 14;

/** Readers beside a book. */
const READERS = 8;

/** A list of books with its page. */
interface ListOfBooks {
  readonly title: string;
  readonly path: string;
  readonly page: { readonly start: number; readonly count: number };
  readonly found: { readonly total: number; readonly items: readonly BookRow[] };
  readonly json: string;
}

/** Pages of books. They show what the API shows to anonymous callers. */
@UseGuards(SitePageGuard)
@UseInterceptors(GoneInterceptor)
@Controller('book')
export class BookPagesController {
  constructor(
    private readonly books: BooksService,
    private readonly annotations: AnnotationsService,
    private readonly searches: SearchService,
    private readonly reads: BookPagesRepository,
    private readonly site: SitePages,
  ) {}

  @Get('isbn/:name')
  @Public()
  @RespondsPage()
  async byIsbn(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') isbn: string,
  ): Promise<void> {
    const book = await this.books.getBookByIsbn(isbn, ANONYMOUS);
    await this.show(request, response, book);
  }

  @Get('series/:id')
  @Public()
  @RespondsPage()
  async series(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const page = listPage(request);
    const [series, found] = await Promise.all([
      this.reads.findSeries(id),
      this.books.listSeriesBooks(id, page, ANONYMOUS),
    ]);
    if (!series) throw new ApiError('uriNotFound');
    const title = reader.words.book.inSeries(shorten(series.title, MAX_NAME));
    await this.list(request, response, reader, {
      title,
      path: to.series(id),
      page,
      found,
      json: `/v2/book/series/${id}/books`,
    });
  }

  @Get('tag/:tag')
  @ExpensiveRoute('search')
  @Public()
  @RespondsPage()
  async tag(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @TextParam('tag') tag: string,
  ): Promise<void> {
    // Users' tags are shorter. The page repeats the tag in several links.
    if (tag.length > MAX_LINE) throw new ApiError('uriNotFound');
    const reader = siteReader(request);
    const page = listPage(request);
    const found = await this.searches.search({ tag }, page, ANONYMOUS);
    const title = reader.words.book.taggedWith(tag);
    await this.list(request, response, reader, {
      title,
      path: to.tag(tag),
      page,
      found,
      json: `/v2/book/search?tag=${encodeURIComponent(tag)}`,
    });
  }

  private list(
    request: ApiRequest,
    response: Response,
    reader: SiteReader,
    { title, path, page, found, json }: ListOfBooks,
  ): Promise<void> {
    const books = found.items.map((row) => this.site.json(Book, row));
    const pages = listPages(reader, { ...page, total: found.total }, path);
    const { book } = reader.words;
    const titles = books.slice(0, 5).map((book) => book.title);
    return this.site.send(request, response, reader, {
      title,
      description: [title, ...titles].join(' · '),
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      area: PATHS.books,
      image: books[0]?.images.large,
      indexed: books.length > 0,
      json,
      body: bookList(reader, title, books, found.total === 0 ? emptyState(book.none) : pages),
    });
  }

  @Get(':id')
  @Cached(BOOK_PAGE)
  @Public()
  @RespondsPage()
  async book(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    await this.show(request, response, await this.books.getBook(id, ANONYMOUS));
  }

  private async show(request: ApiRequest, response: Response, row: BookRow): Promise<void> {
    const reader = siteReader(request);
    const book = this.site.json(Book, row);
    const id = Number(book.id);
    const [tag] = book.tags;
    const [collections, readers, reviews, annotations, series, tagged] = await Promise.all([
      this.reads.countCollections(id),
      this.reads.listReaders(id, READERS),
      this.reads.listBookReviews(id, FIRST),
      this.annotations.listBookAnnotations(id, { format: 'abstract', order: 'rank' }, FIRST),
      book.series &&
        this.books.listSeriesBooks(Number(book.series.id), { start: 0, count: ROW + 1 }, ANONYMOUS),
      tag && this.searches.search({ tag: tag.name }, { start: 0, count: SIMILAR }, ANONYMOUS),
    ]);
    const others = (series?.items ?? []).filter((one) => one.id !== row.id).slice(0, ROW);
    const shown = new Set([row, ...others].map((one) => one.id));
    const similar = (tagged?.items ?? []).filter((one) => !shown.has(one.id)).slice(0, ROW);
    const { words } = reader;
    await this.site.send(request, response, reader, {
      title: book.title,
      description: book.summary || words.book.describe(book.title, book.author.join('、')),
      path: to.book(book.id),
      area: PATHS.books,
      type: 'book',
      image: book.images.large,
      data: [bookData(book)],
      feeds: [{ title: words.feed.reviews(book.title), path: `${to.book(book.id)}reviews.atom` }],
      json: `/v2/book/${book.id}`,
      dependsOn: [
        ...(book.series ? [seriesKey(book.series.id)] : []),
        ...[...others, ...similar].map((one) => bookKey(one.id)),
      ],
      maxAge: RELATED_MS,
      body: bookBody(reader, {
        book,
        collections,
        readers: readers.map((one) => this.site.json(SimpleUser, one)),
        reviews: await this.site.jsonList(OwnReview, reviews.items),
        reviewsTotal: reviews.total,
        annotations: await this.site.jsonList(PageAnnotation, annotations.items),
        annotationsTotal: annotations.total,
        seriesBooks: others.map((one) => this.site.json(Book, one)),
        similar: similar.map((one) => this.site.json(Book, one)),
      }),
    });
  }

  @Get(':id/reviews')
  @Cached(BOOK_PAGE)
  @Public()
  @RespondsPage()
  async reviews(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const page = listPage(request);
    const [row, found] = await Promise.all([
      this.books.getBook(id, ANONYMOUS),
      this.reads.listBookReviews(id, page),
    ]);
    const book = this.site.json(Book, row);
    const title = reader.words.book.reviewsOf(book.title);
    const path = to.bookReviews(id);
    const items = await this.site.jsonList(OwnReview, found.items);
    await this.site.send(request, response, reader, {
      title,
      description: title,
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      area: PATHS.books,
      image: book.images.large,
      feeds: [{ title: reader.words.feed.reviews(book.title), path: `${to.book(id)}reviews.atom` }],
      body: html`${bookCrumbs(reader, book)}
        <h1>${title}</h1>
        ${reviewEntries(reader, items)}${listPages(reader, { ...page, total: found.total }, path)}`,
    });
  }

  @Get(':id/annotations')
  @Cached(BOOK_PAGE)
  @Public()
  @RespondsPage()
  async bookAnnotations(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const page = listPage(request);
    const [row, found] = await Promise.all([
      this.books.getBook(id, ANONYMOUS),
      this.annotations.listBookAnnotations(id, { format: 'abstract', order: 'rank' }, page),
    ]);
    const book = this.site.json(Book, row);
    const title = reader.words.book.annotationsOf(book.title);
    const path = to.bookAnnotations(id);
    const items = await this.site.jsonList(PageAnnotation, found.items);
    await this.site.send(request, response, reader, {
      title,
      description: title,
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      area: PATHS.books,
      image: book.images.large,
      json: `/v2/book/${id}/annotations`,
      body: html`${bookCrumbs(reader, book)}
        <h1>${title}</h1>
        ${annotationEntries(reader, items)}${listPages(reader, { ...page, total: found.total }, path)}`,
    });
  }
}
