import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { WireContext } from '../../api/resources/wire-types';
import { IdParam, Public, RespondsPage } from '../../api/routing/route';
import { NotePagesRepository } from '../../notes/note-pages.repository';
import { inFormat, NotesService } from '../../notes/notes.service';
import { Reply } from '../../notes/notes.resources';
import { RepliesService } from '../../notes/replies.service';
import { noteHtml, notePlainBeginning } from '../../text/note-html';
import { NOBODY, SimpleUser } from '../../users/users.resources';
import { crumbs, panel, sectionHead } from '../../web/components';
import { html, type Piece } from '../../web/html';
import { avatar, inOwnLanguage } from '../../web/record-components';
import { aboutPanel, byline, entries, textLayout, type UserJson } from '../parts';
import { SitePageGuard } from '../site-page.guard';
import { boundedText, MAX_NOTE } from '../page-bounds';
import { to } from '../paths';
import { TextRenderer } from '../text-renderer.service';
import { listPage, listPages, SitePages, siteReader, type SiteReader } from '../site-pages.service';
import { Note, type NoteJson } from './note.pages';
import { NO_USER } from '../visitor';

/** Notes of the author, with the note whose page shows them. */
const OTHERS = { start: 0, count: 6 };

/** Pages of public notes. */
@UseGuards(SitePageGuard)
@Controller('note')
export class NotePagesController {
  constructor(
    private readonly reads: NotePagesRepository,
    private readonly replies: RepliesService,
    private readonly notes: NotesService,
    private readonly site: SitePages,
    private readonly texts: TextRenderer,
    private readonly context: WireContext,
  ) {}

  @Get(':id')
  @Public()
  @RespondsPage()
  async note(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @IdParam('id') id: number,
  ): Promise<void> {
    const reader = siteReader(request);
    const { words, number } = reader;
    const page = listPage(request);
    const row = await this.reads.findNote(id);
    // Private notes are not found, so that the page does not tell that they exist.
    if (!row) throw new ApiError('uriNotFound');
    const [replies, others] = await Promise.all([
      this.replies.listReplies(NO_USER, id, page),
      row.author ? this.othersBy(Number(row.author.id), id) : [],
    ]);
    const view = inFormat({ ...row, content: boundedText(row.content, MAX_NOTE) }, 'abstract');
    const note = this.site.json(Note, view);
    const author = this.site.json(SimpleUser, row.author ?? NOBODY);
    const text = notePlainBeginning(row.content);
    const items = replies.items.map((reply) => this.site.json(Reply, reply));
    const title = note.title || words.note.by(author.name);
    const path = to.note(id);
    await this.site.send(request, response, reader, {
      title,
      description: text || words.note.by(author.name),
      path: page.start > 0 ? `${path}?start=${page.start}` : path,
      type: 'article',
      image: Object.values(note.photos)[0],
      feeds:
        author.uid === ''
          ? []
          : [{ title: words.feed.notes(author.name), path: `${to.person(author.uid)}notes.atom` }],
      data: [
        {
          '@type': 'BlogPosting',
          ...{ url: note.alt, headline: title, articleBody: text },
          author: { '@type': 'Person', name: author.name, url: author.alt },
          datePublished: note.publish_time.slice(0, 10),
          dateModified: note.update_time.slice(0, 10),
        },
      ],
      body: html`${
        author.uid !== '' &&
        crumbs(words.page.path, [
          { href: to.person(author.uid), label: inOwnLanguage(author.name) },
          { href: `${to.person(author.uid)}?view=notes`, label: words.note.notes },
        ])
      }
      ${textLayout(
        html`<article>
            <h1>${inOwnLanguage(title)}</h1>
            ${byline(reader, author, note.publish_time)}
            ${await this.texts.render(noteHtml(view.nodes, row.photos, this.context), text)}
            <p class="soft">${words.note.likes(number(note.liked_count))}</p>
          </article>
          ${
            items.length > 0 &&
            html`${sectionHead(words.note.replies)}${entries(items.map((reply) => ({ title: '', by: byline(reader, reply.author, reply.created), text: reply.content })))}
            ${listPages(reader, { ...page, total: replies.total }, path)}`
          }`,
        this.authorPanels(reader, author, others),
      )}`,
    });
  }

  /** Other public notes of an author, newest first. */
  private async othersBy(userId: number, id: number): Promise<NoteJson[]> {
    const found = await this.notes.listUserNotes(userId, { format: 'abstract' }, OTHERS, NO_USER);
    const notes = await this.site.jsonList(Note, found.items);
    return notes.filter((note) => Number(note.id) !== id).slice(0, OTHERS.count - 1);
  }

  private authorPanels(
    { words }: SiteReader,
    author: UserJson & { readonly signature: string },
    notes: readonly NoteJson[],
  ): Piece {
    if (author.uid === '') return undefined;
    const href = to.person(author.uid);
    const links = notes.map(
      (note) =>
        html`<li>
          <a href="${to.note(note.id)}">${inOwnLanguage(note.title || words.note.untitled)}</a>
        </li>`,
    );
    return html`${aboutPanel(words.note.author, {
      ...{ href, picture: avatar(author.avatar, 'large'), name: author.name || author.uid },
      lines: [inOwnLanguage(author.signature)],
    })}
    ${
      notes.length > 0 &&
      panel(
        words.note.notesOf(author.name),
        html`<ul class="links">
          ${links}
        </ul>`,
        { href: `${href}?view=notes`, label: words.page.all },
      )
    }`;
  }
}
