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
import { noteHtml, notePlainBeginning, shortNote } from '../text/note-html';
import { shorten } from '../text/shorten';
import { SimpleUser } from '../users/users.resources';
import { PRIVACIES, type RenderableNote } from './notes.rows';

/** Maximum length of `summary` and of the two short formats, in characters. */
const SUMMARY = 140;
const SHORT = 200;

/** Picture URLs of a note by number, signed unless the note is public. */
const photosOf = (
  { id, photos, privacy, hidden }: RenderableNote,
  context: WireContext,
): RenderableNote['photos'] =>
  privacy === 'public' && !hidden ? photos : signedPhotos(photos, { subject: 'note', id }, context);

function contentOf(note: RenderableNote, context: WireContext): string {
  switch (note.format) {
    case 'text':
      return note.content;
    case 'html_full':
      return noteHtml(note.nodes, photosOf(note, context), context);
    case 'html_short':
      return noteHtml(shortNote(note.nodes, SHORT), photosOf(note, context), context);
    case 'abstract':
      return shorten(notePlainBeginning(note.content), SHORT);
  }
}

/** Note (specification section 2.6). */
export const Note = resource('Note', {
  id: { type: str(), about: 'Id of the note.' },
  title: { type: str(), about: 'Title, at most 1,000 characters.' },
  alt: {
    type: str(),
    from: (note: RenderableNote, context: WireContext) => `${context.webUrl}/note/${note.id}/`,
    about: 'URL of the page of the note.',
  },
  summary: {
    type: str(),
    from: ({ content }: RenderableNote) => shorten(notePlainBeginning(content), SUMMARY),
    about: 'Beginning of the note as plain text, at most 140 characters.',
  },
  content: { type: str(), from: contentOf, about: 'Content in the format that `format` selects.' },
  privacy: {
    type: oneOf(...PRIVACIES),
    about:
      '`public`: visible to all, `friend`: to friends of the author, `private`: to the author.',
  },
  can_reply: { type: bool(), about: 'Whether others may reply.' },
  publish_time: { type: time(), about: 'Time of publication.' },
  update_time: { type: time(), about: 'Time of the last change.' },
  photos: {
    type: map(address()),
    from: photosOf,
    about: 'URLs of the pictures, by picture number.',
  },
  comments_count: { type: int(), about: 'Number of replies.' },
  liked_count: { type: int(), about: 'Number of users who like the note.' },
  recs_count: { type: int(), about: 'Number of recommendations.' },
});

/** Reply to a note (D30). */
export const Reply = resource('Reply', {
  id: { type: str(), about: 'Id of the reply.' },
  created: { type: time(), about: 'Time of the reply.' },
  content: { type: str(), about: 'Plain text, at most 5,000 characters.' },
  author: { type: ref(SimpleUser), about: 'The author.' },
});
