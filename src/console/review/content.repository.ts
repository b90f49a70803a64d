import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type ReportedKind } from '../../moderation/reported-kinds';

/** Kinds of the records that content is about. */
export type ParentKind = 'book' | 'note' | 'subject' | 'celebrity';

/** SQL expressions about the content `t` of a kind. */
interface Source {
  readonly from: string;
  readonly text: string;
  readonly created: string;
  readonly author: string;
  /** Whether only its author and moderators see it. */
  readonly hidden?: string;
  /** Kind, id and title of what it is about. */
  readonly parent?: readonly [kind: string, id: string, title: string];
  /** Condition of the texts of the author `$1` that moderators may list. */
  readonly listed?: string;
}

const ofBook = (table: string): Pick<Source, 'from' | 'author' | 'hidden' | 'parent'> => ({
  from: `${table} t LEFT JOIN books p ON p.id = t.book_id`,
  author: 't.user_id',
  hidden: 't.hidden',
  parent: [`'book'`, 'p.id', 'p.title'],
});

const ofFilm = (table: string): Pick<Source, 'from' | 'author' | 'parent'> => ({
  from: `${table} t LEFT JOIN subjects p ON p.id = t.subject_id`,
  author: 't.user_id',
  parent: [`'subject'`, 'p.id', 'p.title'],
});

const titled = (content: string): string => `concat_ws(E'\\n', nullif(t.title, ''), ${content})`;

const SOURCES: Readonly<Record<ReportedKind, Source>> = {
  user: { from: 'users t', text: 't.name', created: 't.created_at', author: 't.id' },
  collection: {
    ...ofBook('collections'),
    text: 't.comment',
    created: 't.updated_at',
    listed: `t.user_id = $1 AND t.comment <> '' AND NOT t.private`,
  },
  annotation: {
    ...ofBook('annotations'),
    text: 't.content',
    created: 't.created_at',
    listed: 't.user_id = $1 AND NOT t.private',
  },
  review: {
    ...ofBook('reviews'),
    text: titled('t.content'),
    created: 't.published_at',
    listed: 't.user_id = $1',
  },
  note: {
    from: 'notes t',
    text: titled('t.content'),
    created: 't.published_at',
    author: 't.user_id',
    hidden: 't.hidden',
    listed: `t.user_id = $1 AND t.privacy = 'public' AND NOT t.placeholder`,
  },
  note_reply: {
    from: 'note_replies t LEFT JOIN notes p ON p.id = t.note_id',
    text: 't.content',
    created: 't.created_at',
    author: 't.user_id',
    hidden: 't.hidden',
    parent: [`'note'`, 'p.id', 'p.title'],
    listed: `t.user_id = $1 AND p.privacy = 'public'`,
  },
  movie_review: {
    ...ofFilm('movie_reviews'),
    text: titled('t.summary'),
    created: 't.created_at',
    listed: 't.user_id = $1 AND NOT t.placeholder',
  },
  movie_comment: {
    ...ofFilm('movie_comments'),
    text: 't.content',
    created: 't.created_at',
    listed: 't.user_id = $1',
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

const contentSql = ([kind, source]: [string, Source]): string => {
  const [parentKind, parent, title] = source.parent ?? ['NULL', 'NULL::bigint', 'NULL'];
  return `SELECT ${source.text} AS text, ${wireTime(source.created)} AS created,
      ${source.author} AS author_id, ${source.hidden ?? 'false'} AS hidden,
      ${parentKind} AS parent_kind, ${parent}::float8 AS parent_id, ${title} AS parent_title
    FROM ${source.from} WHERE k.kind = '${kind}' AND t.id = k.id`;
};

const CONTENTS = statement(
  'console.contents',
  `SELECT k.kind, k.id::float8 AS id, c.text, c.created, c.author_id::float8 AS author_id,
     u.uid AS author, c.hidden, c.parent_kind, c.parent_id, c.parent_title
   FROM unnest($1::text[], $2::bigint[]) AS k(kind, id)
   CROSS JOIN LATERAL (${Object.entries(SOURCES).map(contentSql).join(' UNION ALL ')}) c
   LEFT JOIN users u ON u.id = c.author_id`,
);

/** Number of texts on the page of a user. */
const MAX_TEXTS = 20;

const OF_AUTHOR = statement(
  'console.texts_of_author',
  `SELECT kind, target_id::float8 AS target_id FROM (${Object.entries(SOURCES)
    .filter(([, { listed }]) => listed !== undefined)
    .map(
      ([kind, { from, created, listed }]) =>
        `(SELECT '${kind}' AS kind, t.id AS target_id, ${created} AS at FROM ${from}
          WHERE ${listed} ORDER BY ${created} DESC NULLS LAST, t.id DESC LIMIT ${MAX_TEXTS})`,
    )
    .join(' UNION ALL ')}) texts ORDER BY at DESC NULLS LAST, target_id DESC LIMIT ${MAX_TEXTS}`,
);

/** Names a content. */
export interface ContentKey {
  readonly kind: ReportedKind;
  readonly target_id: number;
}

/** Content by users with what it is about. */
export interface Content {
  readonly kind: ReportedKind;
  readonly id: number;
  readonly text: string;
  /** Time of publication; of the last change for collections, of the start for events. */
  readonly created: string | null;
  /** Null for content that was imported without its author. */
  readonly author_id: number | null;
  readonly author: string | null;
  readonly hidden: boolean;
  readonly parent_kind: ParentKind | null;
  readonly parent_id: number | null;
  readonly parent_title: string | null;
}

/** Finds the content of a key; undefined when it was deleted. */
export type FindContent = (key: ContentKey) => Content | undefined;

/** Reads complete texts for moderators. */
@Injectable()
export class ContentRepository {
  constructor(private readonly database: Database) {}

  async findContent(keys: readonly ContentKey[]): Promise<FindContent> {
    const values = [keys.map(({ kind }) => kind), keys.map(({ target_id }) => target_id)];
    const rows = await this.database.query<Content>(CONTENTS, values);
    const found = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
    return ({ kind, target_id }) => found.get(`${kind} ${target_id}`);
  }

  /** The latest public texts of a user, newest first. */
  async listOfAuthor(userId: number): Promise<Content[]> {
    const keys = await this.database.query<ContentKey>(OF_AUTHOR, [userId]);
    const find = await this.findContent(keys);
    return keys.flatMap((key) => find(key) ?? []);
  }
}
