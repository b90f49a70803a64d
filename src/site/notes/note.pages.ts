import { type Wire } from '../../api/resources/resource';
import { Note } from '../../notes/notes.resources';
import { html, type Html } from '../../web/html';
import { byline, entries, type UserJson } from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

export { Note };

export type NoteJson = Wire<typeof Note>;

/** Notes in a list. */
export const noteEntries = (
  reader: SiteReader,
  notes: readonly { readonly note: NoteJson; readonly author: UserJson }[],
  wide = false,
): Html =>
  entries(
    notes.map(({ note, author }) => ({
      href: to.note(note.id),
      title: note.title || reader.words.note.by(author.name),
      by: byline(reader, author, note.publish_time),
      text: note.summary,
      below: html`<p class="soft small">
        ${reader.words.note.likes(reader.number(note.liked_count))}
      </p>`,
    })),
    wide,
  );
