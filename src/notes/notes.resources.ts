import {
  address,
  bool,
  int,
  map,
  ref,
  resource,
  signedPhotos,
  str,
  time,
  oneOf,
  type WireContext,
} from '../api/resources/resource';
import { noteHtml, notePlainText, shortNote } from '../text/note-html';
import { shorten } from '../text/shorten';
import { SimpleUser } from '../users/users.resources';
import { PRIVACIES, type NoteView } from './notes.rows';

/** Maximum length of `summary` and of the two short formats, in characters. */
const SUMMARY = 140;
const SHORT = 200;

/** Picture URLs of a note by number, signed unless the note is public. */
const photosOf = (
  { id, photos, privacy, hidden }: NoteView,
  context: WireContext,
): NoteView['photos'] =>
  privacy === 'public' && !hidden ? photos : signedPhotos(photos, { subject: 'note', id }, context);

function contentOf(note: NoteView, context: WireContext): string {
  switch (note.format) {
    case 'text':
      return note.content;
    case 'html_full':
      return noteHtml(note.nodes, photosOf(note, context), context);
    case 'html_short':
      return noteHtml(shortNote(note.nodes, SHORT), photosOf(note, context), context);
    case 'abstract':
      return shorten(notePlainText(note.nodes), SHORT);
  }
}

/** Note (specification section 2.6). */
export const Note = resource('Note', {
  id: { type: str() },
  title: { type: str() },
  alt: {
    type: str(),
    from: (note: NoteView, context: WireContext) => `${context.webUrl}/note/${note.id}/`,
  },
  summary: {
    type: str(),
    from: ({ nodes }: NoteView) => shorten(notePlainText(nodes), SUMMARY),
  },
  content: { type: str(), from: contentOf },
  privacy: { type: oneOf(...PRIVACIES) },
  can_reply: { type: bool() },
  publish_time: { type: time() },
  update_time: { type: time() },
  photos: { type: map(address()), from: photosOf },
  comments_count: { type: int() },
  liked_count: { type: int() },
  recs_count: { type: int() },
});

/** Reply to a note (D30). */
export const Reply = resource('Reply', {
  id: { type: str() },
  created: { type: time() },
  content: { type: str() },
  author: { type: ref(SimpleUser) },
});
