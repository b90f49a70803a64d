import { SIMPLE_USER } from './book-shapes';
import { type Shape } from './shape';

/** Tiers as the specification abbreviates them: basic, advance, premium. */
export type TierLetter = 'B' | 'A' | 'P';

/** A member that only some tiers see. */
export class Only {
  constructor(
    readonly tiers: string,
    readonly shape: TieredShape,
  ) {}
}

/** A wire shape with tiers, as it is typed in from the specification. */
export type TieredShape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | Only
  | readonly [TieredShape]
  | { readonly [member: string]: TieredShape };

/** The members of a shape that a tier sees. */
export function seenBy(tier: TierLetter, shape: TieredShape): Shape {
  if (shape instanceof Only) return seenBy(tier, shape.shape);
  if (typeof shape === 'string') return shape;
  if (Array.isArray(shape)) return [seenBy(tier, shape[0] as TieredShape)];
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([, member]) => !(member instanceof Only) || member.tiers.includes(tier))
      .map(([name, member]) => [name, seenBy(tier, member)]),
  );
}

const AP = (shape: TieredShape): Only => new Only('AP', shape);
const A = (shape: TieredShape): Only => new Only('A', shape);

/** Three sizes of a picture (sections 2.7, 2.8). */
const SIZES = { small: 'string', medium: 'string', large: 'string' } as const;

// Section 2.9.
const SIMPLE_RATING = {
  min: 'integer',
  max: 'integer',
  average: 'number',
  stars: 'integer',
} as const;
const RATING = { min: 'integer', max: 'integer', value: 'integer' } as const;

export const SIMPLE_CELEBRITY = {
  id: 'string',
  name: 'string',
  alt: 'string',
  avatars: SIZES,
} as const;

export const SIMPLE_SUBJECT = {
  id: 'string',
  title: 'string',
  original_title: 'string',
  alt: 'string',
  images: SIZES,
  rating: SIMPLE_RATING,
  pubdates: AP(['string']),
  year: 'string',
  subtype: 'string',
} as const;

export const SIMPLE_PHOTO = {
  id: 'string',
  alt: 'string',
  icon: 'string',
  image: 'string',
  thumb: 'string',
  cover: 'string',
} as const;

export const PHOTO = {
  id: 'string',
  subject_id: 'string',
  alt: 'string',
  icon: 'string',
  image: 'string',
  thumb: 'string',
  cover: 'string',
  created_at: 'string',
  desc: 'string',
  author: SIMPLE_USER,
  album_id: 'string',
  album_title: 'string',
  album_url: 'string',
  next_photo: 'string',
  prev_photo: 'string',
  position: 'integer',
  comments_count: 'integer',
  photos_count: 'integer',
} as const;

export const REVIEW = {
  id: 'string',
  title: 'string',
  alt: 'string',
  created_at: 'string',
  updated_at: 'string',
  subject_id: 'string',
  author: SIMPLE_USER,
  summary: 'string',
  rating: RATING,
  useful_count: 'integer',
  useless_count: 'integer',
  comments_count: 'integer',
} as const;

export const SIMPLE_REVIEW = {
  id: 'string',
  title: 'string',
  alt: 'string',
  subject_id: 'string',
  author: SIMPLE_USER,
  rating: RATING,
  summary: 'string',
} as const;

export const COMMENT = {
  id: 'string',
  created_at: 'string',
  subject_id: 'string',
  author: SIMPLE_USER,
  content: 'string',
  rating: RATING,
  useful_count: 'integer',
} as const;

export const BOX_ENTRY = {
  rank: 'integer',
  box: 'integer',
  new: 'boolean',
  subject: SIMPLE_SUBJECT,
} as const;

export const WEEKLY_ENTRY = { rank: 'integer', delta: 'integer', subject: SIMPLE_SUBJECT } as const;

/** Works with the celebrity's role (section 4.3, D35). */
export const WORK = { roles: ['string'], subject: SIMPLE_SUBJECT } as const;

/** Section 2.7. */
export const SUBJECT = {
  id: 'string',
  title: 'string',
  original_title: 'string',
  aka: ['string'],
  alt: 'string',
  mobile_url: 'string',
  rating: SIMPLE_RATING,
  ratings_count: 'integer',
  wish_count: 'integer',
  collect_count: 'integer',
  do_count: 'integer',
  images: SIZES,
  subtype: 'string',
  directors: [SIMPLE_CELEBRITY],
  casts: [SIMPLE_CELEBRITY],
  writers: AP([SIMPLE_CELEBRITY]),
  website: AP('string'),
  service_site: 'string',
  pubdates: AP(['string']),
  mainland_pubdate: AP('string'),
  pubdate: AP('string'),
  year: 'string',
  languages: AP(['string']),
  durations: AP(['string']),
  genres: ['string'],
  countries: ['string'],
  summary: 'string',
  comments_count: 'integer',
  reviews_count: 'integer',
  seasons_count: 'integer',
  current_season: 'integer',
  episodes_count: 'integer',
  schedule_url: 'string',
  trailer_urls: AP(['string']),
  clip_urls: AP(['string']),
  blooper_urls: AP(['string']),
  photos: AP([SIMPLE_PHOTO]),
  popular_reviews: AP([SIMPLE_REVIEW]),
} as const;

/** Section 2.8. */
export const CELEBRITY = {
  id: 'string',
  name: 'string',
  name_en: 'string',
  alt: 'string',
  mobile_url: 'string',
  avatars: SIZES,
  summary: A('string'),
  aka: ['string'],
  aka_en: ['string'],
  website: A('string'),
  gender: 'string',
  birthday: A('string'),
  born_place: 'string',
  professions: A(['string']),
  constellation: A('string'),
  photos: A([SIMPLE_PHOTO]),
  works: [SIMPLE_SUBJECT],
} as const;

/** The generic list response (section 1). */
export const LIST = { start: 'integer', count: 'integer', total: 'integer' } as const;
