/** Descriptions of the members of a record, by name, for the OpenAPI document. */
export type MemberDescriptions = Readonly<Record<string, string>>;

/** Members of records of books. */
export const BOOK_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  title: 'Title.',
  origin_title: 'Title in the original language.',
  alt_title: 'Another title.',
  subtitle: 'Subtitle.',
  isbn10: 'ISBN with 10 characters.',
  isbn13: 'ISBN with 13 digits.',
  author: 'List of the names of the authors.',
  translator: 'List of the names of the translators.',
  publisher: 'Name of the publisher.',
  pubdate: 'Date of publication, as free text.',
  binding: 'Binding, as free text.',
  price: 'Price, as free text with currency.',
  pages: 'Number of pages, as free text.',
  series: 'Series as {id, title}.',
  images: 'Cover as {small, medium, large}.',
  rating: 'Rating as {numRaters, average}.',
  tags: 'List of tags as {name, count}.',
  author_intro: 'About the author.',
  summary: 'Summary.',
  catalog: 'Table of contents.',
  ebook_url: 'URL of the e-book.',
  ebook_price: 'Price of the e-book, as free text.',
};

/** Members of records of films and series. */
export const SUBJECT_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  title: 'Chinese title.',
  original_title: 'Title in the original language.',
  aka: 'List of other titles.',
  subtype: '`movie` or `tv`.',
  rating: 'Rating as {average, stars}.',
  images: 'Poster as {small, medium, large}.',
  year: 'Year of the first release.',
  genres: 'List of genres.',
  countries: 'List of countries of production.',
  languages: 'List of languages.',
  durations: 'List of running times, as free text with unit.',
  pubdates: 'List of release dates.',
  mainland_pubdate: 'Date of the release in mainland China.',
  summary: 'Summary.',
  tags: 'List of tags.',
  directors: 'List of directors as {id, name}.',
  casts: 'List of actors as {id, name}.',
  writers: 'List of writers as {id, name}.',
  website: 'URL of the official website.',
};

/** Members of records of celebrities. */
export const CELEBRITY_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  name: 'Chinese name.',
  name_en: 'English name.',
  aka: 'List of other Chinese names.',
  aka_en: 'List of other English names.',
  avatars: 'Portrait as {small, medium, large}.',
  summary: 'Biography.',
  gender: 'Gender, as free text.',
  birthday: 'Day of birth, `yyyy-MM-dd`.',
  born_place: 'Place of birth.',
  professions: 'List of professions.',
  constellation: 'Sign of the zodiac.',
  website: 'URL of the website.',
};

/** Members of records of photos. */
export const PHOTO_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  subject_id: 'Id of the film or series; omitted for photos of celebrities.',
  celebrity_id: 'Id of the celebrity; omitted for photos of films.',
  icon: 'URL of the smallest size.',
  image: 'URL of the full size.',
  thumb: 'URL of the thumbnail.',
  cover: 'URL of the cover size.',
  desc: 'Description.',
  created_at: 'Time of the upload.',
  author_id: 'Id of the author.',
  album_id: 'Id of the album.',
  album_title: 'Title of the album.',
  sort_order: 'Position among the photos.',
};

/** Members of records of events. */
export const EVENT_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  title: 'Title.',
  content: 'Description.',
  image: 'URL of the medium poster.',
  'image-hlarge': 'URL of the large poster.',
  'image-lmobile': 'URL of the poster for mobile screens.',
  begin_time: 'Begin, in the time zone of the service.',
  end_time: 'End, in the time zone of the service.',
  address: 'Postal address.',
  geo: 'Latitude and longitude in decimal degrees, separated by a space.',
  loc_id: 'Id of the city.',
  album: 'Id of the photo album.',
  category: 'Type, such as `music`.',
  is_priv: '`yes`: only invited users can see the event.',
  can_invite: '`yes`: participants may invite others.',
  owner_id: 'Id of the user who organizes the event.',
  invited: 'List of the ids of invited users.',
  participant_count: 'Number of participants.',
  wisher_count: 'Number of interested users.',
};

/** Members of records of cities. */
export const LOC_MEMBERS: MemberDescriptions = {
  id: 'Id; the next id when absent.',
  uid: 'Unique name in ASCII letters.',
  name: 'Name.',
  parent: 'Uid of the province or country.',
  habitable: '`yes`: users can choose it as their city.',
  time_zone: 'Time zone, such as `Asia/Shanghai`.',
};
