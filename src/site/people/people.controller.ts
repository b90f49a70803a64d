import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ANONYMOUS } from '../../api/access/access';
import { Clock } from '../../api/clock';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { type PageQuery } from '../../api/resources/page';
import { NameParam, Public, RespondsPage } from '../../api/routing/route';
import { AnnotationsService } from '../../books/annotations.service';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { Collection, OwnReview } from '../../books/books.resources';
import { CollectionsService } from '../../books/collections.service';
import { EventPagesRepository } from '../../events/event-pages.repository';
import { NotesService } from '../../notes/notes.service';
import { SimpleUser, type UserRow } from '../../users/users.resources';
import { UserPagesRepository } from '../../users/user-pages.repository';
import { counts, emptyState, sectionHead, tabs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { avatar, card, grid, inOwnLanguage, langOf } from '../../web/record-components';
import { annotationEntries, PageAnnotation, reviewEntries } from '../books/book.texts';
import { eventCards } from '../events/event.pages';
import { LocalTimes } from '../events/local-times.service';
import { Note, noteEntries } from '../notes/note.pages';
import { allOf, given, type UserJson } from '../parts';
import { SitePageGuard } from '../site-page.guard';
import { to } from '../paths';
import { withQuery } from '../../web/with-query';
import {
  listPage,
  listPages,
  queryText,
  SitePages,
  siteReader,
  type SiteReader,
} from '../site-pages.service';
import { withoutEmpty } from '../structured-data';
import { NO_USER } from '../visitor';

/** The views of a person's page besides the overview. */
const VIEWS = ['shelf', 'reviews', 'annotations', 'notes', 'events'] as const;
type View = (typeof VIEWS)[number];

/** Number of elements of each list in the overview. */
const IN_OVERVIEW: Readonly<Record<View, number>> = {
  ...{ shelf: 12, reviews: 3, annotations: 3, notes: 3, events: 4 },
};

/** A list of a person's page. */
interface Part {
  readonly total: number;
  readonly content: Html;
}

/** Pages of users with what they have published. */
@UseGuards(SitePageGuard)
@Controller('people')
export class PeoplePagesController {
  constructor(
    private readonly users: UserPagesRepository,
    private readonly collections: CollectionsService,
    private readonly annotations: AnnotationsService,
    private readonly books: BookPagesRepository,
    private readonly notes: NotesService,
    private readonly events: EventPagesRepository,
    private readonly clock: Clock,
    private readonly times: LocalTimes,
    private readonly site: SitePages,
  ) {}

  @Get(':name')
  @Public()
  @RespondsPage()
  async person(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') uid: string,
  ): Promise<void> {
    const user = await this.users.findUser(uid);
    if (!user) throw new ApiError('peopleNotFound');
    const reader = siteReader(request);
    const { words } = reader;
    const asked = queryText(request, 'view');
    const view = VIEWS.find((name) => name === asked);
    const page = listPage(request);
    const shown = view === undefined ? VIEWS : [view];
    const parts = await Promise.all(
      shown.map(async (name) => {
        const wanted = view === undefined ? { start: 0, count: IN_OVERVIEW[name] } : page;
        return [name, await this.part(reader, name, user, wanted)] as const;
      }),
    );
    const person = this.site.json(SimpleUser, user);
    const path = to.person(user.uid);
    const name = person.name || person.uid;
    const titles = this.titles(reader);
    await this.site.send(request, response, reader, {
      title: view === undefined ? name : `${name} · ${titles[view]}`,
      description: person.signature || words.person.describe(name),
      path: withQuery(path, { view, start: page.start > 0 ? String(page.start) : undefined }),
      type: 'profile',
      image: person.avatar,
      feeds: [{ title: words.feed.notes(name), path: `${path}notes.atom` }],
      data: [
        withoutEmpty({
          '@type': 'Person',
          ...{ '@id': person.alt, url: person.alt, name, image: person.avatar },
          description: person.signature,
        }),
      ],
      body: html`<div class="person">
          ${avatar(person.avatar, 'large')}
          <div>
            <h1 ${langOf(name) && html`lang="zh"`}>${name}</h1>
            <p class="soft">${inOwnLanguage(person.signature)}</p>
          </div>
        </div>
        ${tabs(words.page.views, [
          { href: path, label: words.person.overview, current: view === undefined },
          ...VIEWS.map((one) => ({
            ...{ href: `${path}?view=${one}`, label: titles[one], current: view === one },
          })),
        ])}
        ${view === undefined ? this.overview(reader, path, parts) : this.list(reader, path, view, page, parts[0]?.[1])}`,
    });
  }

  private titles({ words }: SiteReader): Readonly<Record<View, string>> {
    return {
      shelf: words.person.shelf,
      reviews: words.book.reviews,
      annotations: words.book.annotations,
      notes: words.note.notes,
      events: words.event.events,
    };
  }

  private overview(
    reader: SiteReader,
    path: string,
    parts: readonly (readonly [View, Part])[],
  ): Piece {
    const filled = parts.filter(([, { total }]) => total > 0);
    if (filled.length === 0) return emptyState(reader.words.person.nothing);
    const titles = this.titles(reader);
    const section = (name: View): Piece => {
      const part = filled.find(([one]) => one === name)?.[1];
      if (!part) return undefined;
      const all = { href: `${path}?view=${name}`, label: allOf(reader, part.total) };
      return html`${sectionHead(titles[name], all)}${part.content}`;
    };
    return html`${counts(filled.map(([name, { total }]) => [titles[name], reader.number(total)]))}
      ${section('shelf')}
      <div class="columns">
        <div>${section('reviews')}</div>
        <div>${section('annotations')}${section('notes')}</div>
      </div>
      ${section('events')}`;
  }

  private list(
    reader: SiteReader,
    path: string,
    view: View,
    page: PageQuery,
    part: Part | undefined,
  ): Piece {
    if (!part || part.total === 0) return emptyState(reader.words.person.nothing);
    const pages = listPages(reader, { ...page, total: part.total }, path, { view });
    return html`<h2 class="hidden">${this.titles(reader)[view]}</h2>
      ${part.content}${pages}`;
  }

  private async part(
    reader: SiteReader,
    view: View,
    user: UserRow,
    page: PageQuery,
  ): Promise<Part> {
    const id = Number(user.id);
    const person: UserJson = this.site.json(SimpleUser, user);
    switch (view) {
      case 'shelf':
        return this.shelf(reader, user.uid, page);
      case 'reviews': {
        const { total, items } = await this.books.listUserReviews(id, page);
        const rows = await this.site.jsonList(OwnReview, items);
        return { total, content: reviewEntries(reader, rows, true) };
      }
      case 'annotations': {
        const format = { format: 'abstract' } as const;
        const found = await this.annotations.listUserAnnotations(user.uid, format, page, ANONYMOUS);
        const rows = await this.site.jsonList(PageAnnotation, found.items);
        return { total: found.total, content: annotationEntries(reader, rows, true) };
      }
      case 'notes': {
        const found = await this.notes.listUserNotes(id, { format: 'abstract' }, page, NO_USER);
        const rows = await this.site.jsonList(Note, found.items);
        const notes = rows.map((note) => ({ note, author: person }));
        return { total: found.total, content: noteEntries(reader, notes) };
      }
      case 'events':
        return this.eventsOf(reader, id, page);
    }
  }

  private async shelf(reader: SiteReader, uid: string, page: PageQuery): Promise<Part> {
    const found = await this.collections.listUserCollections(uid, {}, page, ANONYMOUS);
    const { person: words } = reader.words;
    const cards = found.items.map((row) => {
      const { book, status, rating } = this.site.json(Collection, row);
      return card({
        href: to.book(book.id),
        title: book.title,
        cover: { src: book.images.large, shape: 'book' },
        lines: [[words[status], given(reader, Number(rating.value))]],
      });
    });
    return { total: found.total, content: grid(cards) };
  }

  /** Events that are not over, then past ones; in both, those that the user organizes come first. */
  private async eventsOf(reader: SiteReader, id: number, page: PageQuery): Promise<Part> {
    const { total, items } = await this.events.listUserEvents(id, page, this.clock.now());
    const { person: words } = reader.words;
    const groups = [
      [words.created, items.filter(({ past, organized }) => !past && organized)],
      [words.joined, items.filter(({ past, organized }) => !past && !organized)],
      [words.createdPast, items.filter(({ past, organized }) => past && organized)],
      [words.joinedPast, items.filter(({ past, organized }) => past && !organized)],
    ] as const;
    const lists = groups.map(
      async ([title, rows]) =>
        rows.length > 0 &&
        html`<h3>${title}</h3>
          ${eventCards(reader, (await this.times.of(rows)).events)}`,
    );
    return { total, content: html`${await Promise.all(lists)}` };
  }
}
