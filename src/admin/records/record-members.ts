import { EVENT_TYPES } from '../../events/event-types';
import { type BookMember } from '../../import-export/books/book.record';

/**
 * How a member is written: `text` has several lines, `list` has texts, `people` has {id, name},
 * `counts` has {name, count}, and `object` has the described parts. `rating` is a number from 0 to
 * 10, `stars` one from 0 to 50, `time` is `yyyy-MM-dd HH:mm:ss`, `date` is a day or a part of it.
 */
export type MemberType =
  | 'line'
  | 'text'
  | 'url'
  | 'id'
  | 'count'
  | 'rating'
  | 'stars'
  | 'year'
  | 'date'
  | 'time'
  | 'choice'
  | 'list'
  | 'ids'
  | 'people'
  | 'counts'
  | 'object';

/** A member of a record: for the OpenAPI document, and for forms. */
export interface MemberDescription {
  readonly about: string;
  readonly type: MemberType;
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** The parts of an object. */
  readonly parts?: Readonly<Record<string, PartDescription>>;
}

/** A part of an object. */
interface PartDescription {
  readonly type: MemberType;
  /** Whether the value is derived from the other parts, and omitted when only they change. */
  readonly isDerived?: boolean;
}

/** Descriptions of the members of a record, by name. */
export type MemberDescriptions = Readonly<Record<string, MemberDescription>>;

const of =
  (type: MemberType) =>
  (about: string): MemberDescription => ({ about, type });
const line = of('line');
const text = of('text');
const url = of('url');
const id = of('id');
const list = of('list');
const people = of('people');
const count = of('count');

const YES_NO = ['no', 'yes'];
const choice = (about: string, choices: readonly string[]): MemberDescription => ({
  ...{ about, type: 'choice', choices },
});

/** Three sizes of a picture. */
const picture = (about: string): MemberDescription => ({
  ...{ about, type: 'object' },
  parts: { medium: { type: 'url' }, small: { type: 'url' }, large: { type: 'url' } },
});

const ID = id('Id; the next id when absent.');

/** Members of records of books. */
export const BOOK_MEMBERS = {
  id: ID,
  title: line('Title.'),
  origin_title: line('Title in the original language.'),
  alt_title: line('Another title.'),
  subtitle: line('Subtitle.'),
  isbn10: line('ISBN with 10 characters.'),
  isbn13: line('ISBN with 13 digits.'),
  author: list('List of the names of the authors.'),
  translator: list('List of the names of the translators.'),
  publisher: line('Name of the publisher.'),
  pubdate: line('Date of publication, as free text.'),
  binding: line('Binding, as free text.'),
  price: line('Price, as free text with currency.'),
  pages: line('Number of pages, as free text.'),
  series: {
    about: 'Series as {id, title}.',
    type: 'object',
    parts: { id: { type: 'id' }, title: { type: 'line', isDerived: true } },
  },
  images: picture('Cover as {small, medium, large}.'),
  rating: {
    about: 'Rating as {numRaters, average}.',
    type: 'object',
    parts: { average: { type: 'rating' }, numRaters: { type: 'count' } },
  },
  tags: { about: 'List of tags as {name, count}.', type: 'counts' },
  author_intro: text('About the author.'),
  summary: text('Summary.'),
  catalog: text('Table of contents.'),
  ebook_url: url('URL of the e-book.'),
  ebook_price: line('Price of the e-book, as free text.'),
} as const satisfies Readonly<Record<Exclude<BookMember, 'kind' | 'image'>, MemberDescription>>;

/** Members of records of films and series. */
export const SUBJECT_MEMBERS = {
  id: ID,
  title: line('Chinese title.'),
  original_title: line('Title in the original language.'),
  aka: list('List of other titles.'),
  subtype: choice('`movie` or `tv`.', ['movie', 'tv']),
  rating: {
    about: 'Rating as {average, stars}.',
    type: 'object',
    parts: { average: { type: 'rating' }, stars: { type: 'stars', isDerived: true } },
  },
  images: picture('Poster as {small, medium, large}.'),
  year: { about: 'Year of the first release.', type: 'year' },
  genres: list('List of genres.'),
  countries: list('List of countries of production.'),
  languages: list('List of languages.'),
  durations: list('List of running times, as free text with unit.'),
  pubdates: list('List of release dates.'),
  mainland_pubdate: { about: 'Date of the release in mainland China.', type: 'date' },
  summary: text('Summary.'),
  tags: list('List of tags.'),
  directors: people('List of directors as {id, name}.'),
  casts: people('List of actors as {id, name}.'),
  writers: people('List of writers as {id, name}.'),
  website: url('URL of the official website.'),
} as const satisfies MemberDescriptions;

/** Members of records of celebrities. */
export const CELEBRITY_MEMBERS = {
  id: ID,
  name: line('Chinese name.'),
  name_en: line('English name.'),
  aka: list('List of other Chinese names.'),
  aka_en: list('List of other English names.'),
  avatars: picture('Portrait as {small, medium, large}.'),
  summary: text('Biography.'),
  gender: line('Gender, as free text.'),
  birthday: { about: 'Day of birth, `yyyy-MM-dd`.', type: 'date' },
  born_place: line('Place of birth.'),
  professions: list('List of professions.'),
  constellation: line('Sign of the zodiac.'),
  website: url('URL of the website.'),
} as const satisfies MemberDescriptions;

/** Members of records of photos. */
export const PHOTO_MEMBERS = {
  id: ID,
  subject_id: id('Id of the film or series; omitted for photos of celebrities.'),
  celebrity_id: id('Id of the celebrity; omitted for photos of films.'),
  icon: url('URL of the smallest size.'),
  image: url('URL of the full size.'),
  thumb: url('URL of the thumbnail.'),
  cover: url('URL of the cover size.'),
  desc: text('Description.'),
  created_at: { about: 'Time of the upload.', type: 'time' },
  author_id: id('Id of the author.'),
  album_id: id('Id of the album.'),
  album_title: line('Title of the album.'),
  sort_order: count('Position among the photos.'),
} as const satisfies MemberDescriptions;

/** Members of records of events. */
export const EVENT_MEMBERS = {
  id: ID,
  title: line('Title.'),
  content: text('Description.'),
  image: url('URL of the medium poster.'),
  'image-hlarge': url('URL of the large poster.'),
  'image-lmobile': url('URL of the poster for mobile screens.'),
  begin_time: { about: 'Begin, in the time zone of the service.', type: 'time' },
  end_time: { about: 'End, in the time zone of the service.', type: 'time' },
  address: line('Postal address.'),
  geo: line('Latitude and longitude in decimal degrees, separated by a space.'),
  loc_id: id('Id of the city.'),
  album: line('Id of the photo album.'),
  category: choice('Type, such as `music`.', [...Object.keys(EVENT_TYPES), 'others']),
  is_priv: choice('`yes`: only invited users can see the event.', YES_NO),
  can_invite: choice('`yes`: participants may invite others.', YES_NO),
  owner_id: id('Id of the user who organizes the event.'),
  invited: { about: 'List of the ids of invited users.', type: 'ids' },
  participant_count: count('Number of participants.'),
  wisher_count: count('Number of interested users.'),
} as const satisfies MemberDescriptions;

/** Members of records of cities. */
export const LOC_MEMBERS = {
  id: ID,
  uid: line('Unique name in ASCII letters.'),
  name: line('Name.'),
  parent: line('Uid of the province or country.'),
  habitable: choice('`yes`: users can choose it as their city.', YES_NO),
  time_zone: line('Time zone, such as `Asia/Shanghai`.'),
} as const satisfies MemberDescriptions;

/** The described members of each type of records, by the name of the type. */
export const RECORD_MEMBERS = {
  books: BOOK_MEMBERS,
  subjects: SUBJECT_MEMBERS,
  celebrities: CELEBRITY_MEMBERS,
  photos: PHOTO_MEMBERS,
  events: EVENT_MEMBERS,
  locs: LOC_MEMBERS,
} as const satisfies Readonly<Record<string, MemberDescriptions>>;

/** Names of the members of a type of records. */
export type MembersOf<Type extends keyof typeof RECORD_MEMBERS> =
  keyof (typeof RECORD_MEMBERS)[Type];
