import {
  annotationTextSql,
  collectionTextSql,
  titledTextSql,
} from '../../moderation/content-texts.sql';
import { type ReportedKind } from '../../moderation/reported-kinds';

/** SQL expressions about the content `t` of a kind. */
export interface ContentSource {
  readonly from: string;
  readonly text: string;
  readonly created: string;
  readonly author: string;
  /** Whether only its author and moderators see it. */
  readonly hidden?: string;
  /** Whether only its author sees it, because it or what it replies to is private. */
  readonly private?: string;
  /** Kind, id and title of what it is about. */
  readonly parent?: readonly [kind: string, id: string, title: string];
  /** Condition of the texts that moderators may list; kinds without it are not listed. */
  readonly listed?: string;
}

const ofBook = (table: string): Pick<ContentSource, 'from' | 'author' | 'hidden' | 'parent'> => ({
  from: `${table} t LEFT JOIN books p ON p.id = t.book_id`,
  author: 't.user_id',
  hidden: 't.hidden',
  parent: [`'book'`, 'p.id', 'p.title'],
});

const ofFilm = (table: string): Pick<ContentSource, 'from' | 'author' | 'parent'> => ({
  from: `${table} t LEFT JOIN subjects p ON p.id = t.subject_id`,
  author: 't.user_id',
  parent: [`'subject'`, 'p.id', 'p.title'],
});

const titled = (content: string): string => titledTextSql('t.title', content);

/** Where the contents that can be reported are. */
export const SOURCES: Readonly<Record<ReportedKind, ContentSource>> = {
  user: { from: 'users t', text: 't.name', created: 't.created_at', author: 't.id' },
  collection: {
    ...ofBook('collections'),
    text: collectionTextSql('t.'),
    created: 't.updated_at',
    private: 't.private',
    listed: `(t.comment <> '' OR t.tags <> '{}') AND NOT t.private`,
  },
  annotation: {
    ...ofBook('annotations'),
    text: annotationTextSql('t.'),
    created: 't.created_at',
    private: 't.private',
    listed: 'NOT t.private',
  },
  review: {
    ...ofBook('reviews'),
    text: titled('t.content'),
    created: 't.published_at',
    listed: 'true',
  },
  note: {
    from: 'notes t',
    text: titled('t.content'),
    created: 't.published_at',
    author: 't.user_id',
    hidden: 't.hidden',
    private: `t.privacy <> 'public'`,
    listed: `t.privacy = 'public' AND NOT t.placeholder`,
  },
  note_reply: {
    from: 'note_replies t LEFT JOIN notes p ON p.id = t.note_id',
    text: 't.content',
    created: 't.created_at',
    author: 't.user_id',
    hidden: 't.hidden',
    private: `p.privacy <> 'public'`,
    parent: [`'note'`, 'p.id', `CASE WHEN p.privacy = 'public' THEN p.title ELSE '' END`],
    listed: `p.privacy = 'public'`,
  },
  movie_review: {
    ...ofFilm('movie_reviews'),
    text: titled('t.summary'),
    created: 't.created_at',
    listed: 'NOT t.placeholder',
  },
  movie_comment: {
    ...ofFilm('movie_comments'),
    text: 't.content',
    created: 't.created_at',
    listed: 'true',
  },
  photo: {
    from: `photos t LEFT JOIN subjects s ON s.id = t.subject_id
      LEFT JOIN celebrities c ON c.id = t.celebrity_id`,
    text: 't.description',
    created: 't.created_at',
    author: 't.user_id',
    parent: [
      `CASE WHEN s.id IS NULL THEN 'celebrity' ELSE 'subject' END`,
      'coalesce(s.id, c.id)',
      'coalesce(s.title, c.name)',
    ],
  },
  event: {
    from: 'events t',
    text: titled('t.content'),
    created: 't.begins_at',
    author: 't.owner_id',
  },
};
