import { type NoteNode } from '../text/note-markup';
import { type UserRow } from '../users/users.resources';

/** The privacy of a note (specification section 2.6). */
export const PRIVACIES = ['public', 'friend', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** The formats of a note's content (specification section 4.2). */
export const FORMATS = ['text', 'html_full', 'html_short', 'abstract'] as const;
export type Format = (typeof FORMATS)[number];

/** A note as statements return it. */
export interface NoteRow {
  readonly id: string;
  /** The text form of specification section 2.6. */
  readonly content: string;
  readonly privacy: Privacy;
  /** Hidden: only its author sees it, because it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  /** Picture URLs by number. */
  readonly photos: Readonly<Record<string, string>>;
}

/** A note to render: its parsed content and the requested format. */
export interface RenderableNote extends NoteRow {
  readonly nodes: readonly NoteNode[];
  readonly format: Format;
}

/** A stored note as writes see it. */
export interface StoredNote {
  /** Null when an import omitted the author. */
  readonly user_id: number | null;
  readonly title: string;
  readonly content: string;
  readonly privacy: Privacy;
  readonly hidden: boolean;
  readonly can_reply: boolean;
  readonly photos: Readonly<Record<string, string>>;
  /** Whether the caller may see it. */
  readonly visible: boolean;
}

/** A reply to a note. */
export interface ReplyRow {
  readonly id: string;
  readonly content: string;
  readonly author: UserRow;
}
