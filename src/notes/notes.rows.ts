import { type NoteNode } from '../text/note-markup';
import { type UserRow } from '../users/users.resources';

/** Who sees a note (specification section 2.6). */
export const PRIVACIES = ['public', 'friend', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** In which form a note's content is wanted (specification section 4.2). */
export const FORMATS = ['text', 'html_full', 'html_short', 'abstract'] as const;
export type Format = (typeof FORMATS)[number];

/** A note as statements return it. */
export interface NoteRow {
  readonly id: string;
  /** The text form of specification section 2.6. */
  readonly content: string;
  readonly privacy: Privacy;
  /** Picture number to address. */
  readonly photos: Readonly<Record<string, string>>;
}

/** A note on its way out: its tree, and the form that is wanted. */
export interface NoteView extends NoteRow {
  readonly nodes: readonly NoteNode[];
  readonly format: Format;
}

/** A note as writes look at it. */
export interface StoredNote {
  /** Null where an import left open whose it is. */
  readonly user_id: number | null;
  readonly title: string;
  readonly content: string;
  readonly privacy: Privacy;
  readonly can_reply: boolean;
  readonly photos: Readonly<Record<string, string>>;
  /** Whether the one who asks may see it. */
  readonly visible: boolean;
}

/** A reply to a note. */
export interface ReplyRow {
  readonly id: string;
  readonly content: string;
  readonly author: UserRow;
}
