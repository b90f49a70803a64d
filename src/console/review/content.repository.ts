import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type ReportedKind } from '../../moderation/reported-kinds';
import { SOURCES, type ContentSource } from './content-sources';

/** Kinds of the records that content is about. */
export type ParentKind = 'book' | 'note' | 'subject' | 'celebrity';

/** SQL: whether a moderator has to review the key `k`. */
const HAS_OPEN_ENTRY = `EXISTS (SELECT 1 FROM moderation_queue q
  WHERE q.kind = k.kind AND q.target_id = k.id AND q.decision IS NULL)`;

// The author may have made a text private, and changed it, since it was reviewed or reported.
const contentSql = ([kind, source]: [string, ContentSource]): string => {
  const [parentKind, parent, title] = source.parent ?? ['NULL', 'NULL::bigint', 'NULL'];
  const isPrivate = source.private ?? 'false';
  return `SELECT CASE WHEN ${isPrivate} AND NOT ${HAS_OPEN_ENTRY} THEN NULL ELSE ${source.text} END AS text,
      ${isPrivate} AS private, ${wireTime(source.created)} AS created,
      ${source.author} AS author_id, ${source.hidden ?? 'false'} AS hidden,
      ${parentKind} AS parent_kind, ${parent}::float8 AS parent_id, ${title} AS parent_title
    FROM ${source.from} WHERE k.kind = '${kind}' AND t.id = k.id`;
};

const CONTENTS = statement(
  'console.contents',
  `SELECT k.kind, k.id::float8 AS id, c.text, c.private, c.created, c.author_id::float8 AS author_id,
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
          WHERE t.user_id = $1 AND ${listed} ORDER BY ${created} DESC NULLS LAST, t.id DESC LIMIT ${MAX_TEXTS})`,
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
  /** Null for a private text without an open entry in the moderation queue. */
  readonly text: string | null;
  readonly private: boolean;
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

/** Reads complete texts for moderators, except private ones that nobody has to review. */
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
