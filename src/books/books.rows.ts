import { type Page } from '../api/resources/page';
/** A book as statements return it; see `bookColumns`. */
export interface BookRow {
  readonly id: string;
  readonly kind: string;
  /** A placeholder: only the id is known. */
  readonly placeholder: boolean;
  readonly image_small: string;
  readonly image_medium: string;
  readonly image_large: string;
  readonly num_raters: number;
  readonly average: string;
  readonly tags: readonly { count: number; name: string }[];
  readonly current_user_collection: CollectionRow | null;
}

/** A user's collection of a book; `rating` is 1 to 5 or null. */
export interface CollectionRow {
  readonly id: string;
  readonly user_id: string;
  readonly book_id: string;
  readonly status: string;
  readonly rating: number | null;
  readonly updated: string;
}

/** A review with its full text; `rating` is 1 to 5 or null. */
export interface ReviewRow {
  readonly id: string;
  readonly content: string;
  readonly rating: number | null;
}

/** An annotation; `html` selects the format of the content. */
export interface AnnotationRow {
  readonly id: string;
  readonly book_id: string;
  readonly author_id: string;
  readonly private: boolean;
  /** Hidden: only its author sees it until a moderator releases it. */
  readonly hidden: boolean;
  readonly content: string;
  /** Picture URLs by number. */
  readonly photos: Readonly<Record<string, string>>;
  readonly html?: boolean;
}

/** Collections of a user. */
export interface UserCollections extends Page<CollectionRow & { readonly book: BookRow }> {
  /** The user who collects. */
  readonly userId: number;
  /** Whether this user is the caller. */
  readonly isOwn: boolean;
}
