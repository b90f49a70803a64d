import { type UserRow } from '../users/users.resources';

/** A person in credits and lists; without a celebrity record only the name is known (D34). */
export interface SimpleCelebrityRow {
  readonly id: string | null;
  readonly name: string;
  readonly avatar_small: string;
  readonly avatar_medium: string;
  readonly avatar_large: string;
}

/** A subject in charts, search results and lists of works. */
export interface SimpleSubjectRow {
  readonly id: string;
  readonly title: string;
  readonly original_title: string;
  readonly image_small: string;
  readonly image_medium: string;
  readonly image_large: string;
  readonly rating_average: string | number;
  readonly stars: number;
  /** Only loaded for tiers that may see it. */
  readonly pubdates?: readonly string[];
  readonly year: string;
  readonly subtype: 'movie' | 'tv';
}

/** A photo inside subjects and celebrities. */
export interface SimplePhotoRow {
  readonly id: string;
  /** Set for a photo of a celebrity. */
  readonly celebrity_id: string | null;
  readonly icon: string;
  readonly image: string;
  readonly thumb: string;
  readonly cover: string;
}

/** A photo in lists. */
export interface PhotoRow extends SimplePhotoRow {
  readonly subject_id: string | null;
  readonly created_at: string | null;
  readonly description: string;
  readonly author: UserRow | null;
  readonly album_id: string | null;
  readonly album_title: string;
  readonly next_photo: string | null;
  readonly prev_photo: string | null;
  readonly position: number;
  readonly comments_count: number;
  readonly photos_count: number;
}

/** A review inside subjects. */
export interface SimpleReviewRow {
  readonly id: string;
  readonly title: string;
  readonly subject_id: string;
  readonly author: UserRow;
  readonly rating: number | null;
  readonly summary: string;
}

/** A review in lists. */
export interface ReviewRow extends SimpleReviewRow {
  readonly created_at: string;
  readonly updated_at: string;
  readonly useful_count: number;
  readonly useless_count: number;
  readonly comments_count: number;
}

/** A short comment. */
export interface CommentRow {
  readonly id: string;
  readonly created_at: string;
  readonly subject_id: string;
  readonly author: UserRow;
  readonly content: string;
  readonly rating: number | null;
  readonly useful_count: number;
}

/** A subject; members are only loaded for tiers that may see them. */
export interface SubjectRow extends SimpleSubjectRow {
  readonly aka: readonly string[];
  readonly ratings_count: number;
  readonly wish_count: number;
  readonly collect_count: number;
  readonly do_count: number | null;
  readonly directors: readonly SimpleCelebrityRow[];
  readonly casts: readonly SimpleCelebrityRow[];
  readonly writers?: readonly SimpleCelebrityRow[];
  readonly website?: string;
  readonly service_site: string;
  readonly mainland_pubdate?: string;
  readonly languages?: readonly string[];
  readonly durations?: readonly string[];
  readonly genres: readonly string[];
  readonly countries: readonly string[];
  readonly summary: string;
  readonly comments_count: number;
  readonly reviews_count: number;
  readonly seasons_count: number | null;
  readonly current_season: number | null;
  readonly episodes_count: number | null;
  readonly has_schedule: boolean;
  readonly trailer_urls?: readonly string[];
  readonly clip_urls?: readonly string[];
  readonly blooper_urls?: readonly string[];
  readonly photos?: readonly SimplePhotoRow[];
  readonly popular_reviews?: readonly SimpleReviewRow[];
}

/** A celebrity; members for the advance tier are only loaded for it. */
export interface CelebrityRow extends SimpleCelebrityRow {
  readonly id: string;
  readonly name_en: string;
  readonly summary?: string;
  readonly aka: readonly string[];
  readonly aka_en: readonly string[];
  readonly website?: string;
  readonly gender: string;
  readonly birthday?: string;
  readonly born_place: string;
  readonly professions?: readonly string[];
  readonly constellation?: string;
  readonly photos?: readonly SimplePhotoRow[];
  readonly works: readonly SimpleSubjectRow[];
}

/** A work of a celebrity with their roles in it (D35). */
export interface WorkRow {
  readonly roles: readonly string[];
  readonly subject: SimpleSubjectRow;
}

/** An entry of the box-office chart. */
export interface BoxRow {
  readonly rank: number;
  readonly box: number;
  readonly new: boolean;
  readonly subject: SimpleSubjectRow;
}

/** An entry of the weekly chart. */
export interface WeeklyRow {
  readonly rank: number;
  readonly delta: number;
  readonly subject: SimpleSubjectRow;
}
