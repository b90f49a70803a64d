import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { WireContext } from '../../api/resources/wire-types';
import { IdParam, Public, RespondsPage } from '../../api/routing/route';
import { AnnotationsService } from '../../books/annotations.service';
import { BookIdParam } from '../../books/book-id-param';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { OwnReview } from '../../books/books.resources';
import { BooksService } from '../../books/books.service';
import { plainBeginning, renderHtml } from '../../text/markup';
import { html } from '../../web/html';
import { PATHS } from '../../web/layout';
import { redirect } from '../../web/page-response';
import { inOwnLanguage } from '../../web/record-components';
import { byline, given, textLayout } from '../parts';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { TextRenderer } from '../text-renderer.service';
import { SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { bookData, reviewData } from '../structured-data';
import { aboutBook, bookCrumbs, PageAnnotation } from './book.texts';

/** Pages of annotations and reviews of books. */
@UseGuards(SitePageGuard)
@Controller()
export class BookTextsController {
  constructor(
    private readonly books: BooksService,
    private readonly annotations: AnnotationsService,
    private readonly reads: BookPagesRepository,
    private readonly site: SitePages,
    private readonly texts: TextRenderer,
    private readonly context: WireContext,
  ) {}

  @Get('book/annotation/:id')
  @Public()
  @RespondsPage()
  async annotation(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { words } = reader;
    const row = await this.annotations.getAnnotation(id, { format: 'text' }, ANONYMOUS);
    const one = this.site.json(PageAnnotation, row);
    const text = plainBeginning(row.content);
    const title = words.book.annotationOf(one.book.title);
    const place = [one.chapter, one.page_no > 0 ? words.book.page(one.page_no) : '']
      .filter((part) => part !== '')
      .join(' · ');
    await this.site.send(request, response, reader, {
      title,
      description: text,
      path: to.annotation(id),
      area: PATHS.books,
      type: 'article',
      image: one.abstract_photo || one.book.images.large,
      json: `/v2/book/annotation/${id}?format=html`,
      data: [
        {
          '@type': 'CreativeWork',
          url: this.site.absolute(to.annotation(id)),
          name: title,
          text,
          author: { '@type': 'Person', name: one.author_user.name },
          datePublished: one.time.slice(0, 10),
          about: bookData(one.book),
        },
      ],
      body: html`${bookCrumbs(reader, one.book)}${textLayout(
        html`<article>
          <h1>${title}</h1>
          ${byline(reader, one.author_user, one.time)}
          ${place !== '' && html`<p class="soft">${inOwnLanguage(place)}</p>`}
          ${await this.texts.render(renderHtml(one.content, one.photos, this.context), text)}
        </article>`,
        aboutBook(reader, one.book),
      )}`,
    });
  }

  @Get('review/:id')
  @Public()
  @RespondsPage()
  review(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    return this.showReview(request, response, id);
  }

  @Get('book/review/:id')
  @Public()
  @RespondsPage()
  bookReview(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    return this.showReview(request, response, id);
  }

  private async showReview(request: ApiRequest, response: Response, id: number): Promise<void> {
    const reader: SiteReader = siteReader(request);
    const { words, number } = reader;
    const row = await this.reads.findReview(id);
    if (!row) throw new ApiError('reviewNotFound');
    const review = this.site.json(OwnReview, row);
    const text = plainBeginning(row.content);
    const value = Number(review.rating.value);
    await this.site.send(request, response, reader, {
      title: review.title || words.book.reviewOf(review.book.title),
      description: text,
      path: to.review(id),
      area: PATHS.books,
      type: 'article',
      image: review.book.images.large,
      data: [
        reviewData({
          ...{ url: review.alt, name: review.title, author: review.author, text, value },
          ...{ published: review.published, about: bookData(review.book) },
        }),
      ],
      body: html`${bookCrumbs(reader, review.book)}${textLayout(
        html`<article>
          <h1>${inOwnLanguage(review.title || words.book.reviewOf(review.book.title))}</h1>
          ${byline(reader, review.author, review.published, given(reader, value))}
          ${await this.texts.render(renderHtml(review.content, {}, this.context), text)}
          <p class="soft">${words.book.votes(number(review.votes), number(review.useless))}</p>
        </article>`,
        aboutBook(reader, review.book),
      )}`,
    });
  }

  /** The address of an e-book in the sample: this service has no reader, so it leads to the book. */
  @Get('ebook/:id')
  @Public()
  @RespondsPage()
  async ebook(@Res() response: Response, @BookIdParam('id') id: number): Promise<void> {
    const book = await this.books.getBook(id, ANONYMOUS);
    redirect(response, `${to.book(book.id)}#ebook`);
  }
}
