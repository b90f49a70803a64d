import { type Wire } from './transfer';
import { AWKWARD } from './records';

/** Kinds of what people write to each other, in the order that later ones rest on earlier ones. */
export const NOTE_KINDS = ['friend', 'note', 'note-reply', 'note-like'] as const;

/** A note as an export writes it. */
export const note = (id: number, more: Wire = {}): Wire => ({
  id: String(id),
  ...(more.author_id === null ? {} : { author_id: more.author_id ?? '3' }),
  title: more.title ?? 't',
  content: more.content ?? 'c',
  privacy: more.privacy ?? 'public',
  can_reply: more.can_reply ?? true,
  photos: more.photos ?? {},
  comments_count: more.comments_count ?? 0,
  liked_count: more.liked_count ?? 0,
  recs_count: more.recs_count ?? 0,
  publish_time: more.publish_time ?? '2012-12-14 15:14:47',
  update_time: more.update_time ?? '2012-12-14 15:14:56',
});

/** A reply to a note as an export writes it. */
export const reply = (id: number, of: number, content = 'c', author = 52): Wire => ({
  id: String(id),
  note_id: String(of),
  author_id: String(author),
  content,
  created: '2012-05-19 21:52:48',
});

/** A like of a note, as an export writes it. */
export const like = (of: number, user: number): Wire => ({
  note_id: String(of),
  user_id: String(user),
  created: '2012-05-20 00:00:01',
});

/** Records of each kind as an export writes them: full ones, and ones that say the least. */
export const NOTE_RECORDS: Readonly<Record<(typeof NOTE_KINDS)[number], readonly Wire[]>> = {
  friend: [
    { user_id: '3', friend_id: '41', created: '2011-01-01 10:00:00' },
    { user_id: '3', friend_id: '52', created: '2011-01-01 10:00:01' },
    { user_id: '41', friend_id: '52', created: '2010-01-01 10:00:00' },
  ],
  note: [
    note(7, {
      title: AWKWARD,
      content: AWKWARD,
      privacy: 'friend',
      can_reply: false,
      photos: { '2': 'http://x/2.jpg', '3': '/pictures/3.jpg', '10': 'http://x/10.jpg' },
      comments_count: 5,
      liked_count: 1000000000,
      recs_count: 4,
    }),
    note(8, { content: '', privacy: 'private' }),
    note(9, { author_id: null, comments_count: 1, liked_count: 1 }),
    note(9007199254740000, {}),
  ],
  'note-reply': [reply(4, 7, AWKWARD), reply(5, 7), reply(6, 9, 'c', 41)],
  'note-like': [like(7, 41), like(7, 52), like(9, 3)],
};
