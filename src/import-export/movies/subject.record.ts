import { type Part } from '../engine/record-handler';
import { type PartialRecord } from '../engine/partial.handler';
import { RecordError, RecordReader, toSortOrder } from '../engine/record';
import { readPlaceholderCelebrity } from './celebrity.record';
import { LISTS as PEOPLE_LISTS, type CreditRecord } from './credit.record';
import { toPart, type MovieHandlers, type NestedHandler } from './movie-handlers';

/** A subject in a file: specification section 2.7, with base counts and all tags. */
export interface SubjectFields {
  readonly title: string;
  readonly original_title: string;
  readonly aka: readonly string[];
  /** On a scale of 10 with one decimal. */
  readonly rating_average: number;
  /** 0 to 50 in steps of 5. */
  readonly stars: number;
  readonly ratings_count: number;
  readonly wish_count: number;
  readonly collect_count: number;
  readonly do_count: number | null;
  readonly image_small: string;
  readonly image_medium: string;
  readonly image_large: string;
  readonly subtype: string;
  readonly website: string;
  readonly service_site: string;
  readonly pubdates: readonly string[];
  readonly mainland_pubdate: string;
  readonly year: string;
  readonly languages: readonly string[];
  readonly durations: readonly string[];
  readonly genres: readonly string[];
  readonly countries: readonly string[];
  readonly summary: string;
  readonly comments_count_base: number;
  readonly reviews_count_base: number;
  readonly seasons_count: number | null;
  readonly current_season: number | null;
  readonly episodes_count: number | null;
  readonly has_schedule: boolean;
  readonly trailer_urls: readonly string[];
  readonly clip_urls: readonly string[];
  readonly blooper_urls: readonly string[];
  readonly tags: readonly string[];
}

export type SubjectRecord = PartialRecord<SubjectFields>;

const TEXTS = ['title', 'original_title', 'website', 'year', 'summary'] as const;
const LISTS = [
  'aka',
  'pubdates',
  'languages',
  'durations',
  'genres',
  'countries',
  'trailer_urls',
  'clip_urls',
  'blooper_urls',
] as const;
const COUNTS = ['ratings_count', 'wish_count', 'collect_count'] as const;
/** Fields that only series have. */
const OF_SERIES = ['seasons_count', 'current_season', 'episodes_count'] as const;

/** Stars for an average: half a star for every 5. */
const starsOf = (average: number): number =>
  average === 0 ? 0 : Math.min(50, Math.max(0, 5 * Math.ceil(average - 0.25)));

function readRating(rating: RecordReader): Partial<SubjectFields> {
  const text = rating.text('average');
  const average = text === '' ? 0 : Number(text);
  if (!(average >= 0 && average <= 10)) {
    throw new RecordError('rating.average must be from 0 to 10');
  }
  const rounded = Number(average.toFixed(1));
  const stars = /^\d{1,2}$/.test(rating.text('stars')) ? Number(rating.text('stars')) : NaN;
  return {
    rating_average: rounded,
    stars: stars <= 50 && stars % 5 === 0 ? stars : starsOf(rounded),
  };
}

/** The original API has videos as objects; only their URLs are stored. */
function readVideos(reader: RecordReader, input: Record<string, unknown>): void {
  for (const [member, urls] of [
    ['trailers', 'trailer_urls'],
    ['clips', 'clip_urls'],
    ['bloopers', 'blooper_urls'],
  ] as const) {
    if (input[urls] !== undefined || !reader.has(member)) continue;
    input[urls] = reader
      .list(member)
      .map((video) => new RecordReader(video, member).text('resource_url'))
      .filter((url) => url !== '');
  }
}

function readMore(reader: RecordReader, input: Record<string, unknown>): void {
  // The member with the URL of the subject's community page is named after the service.
  const site = reader.names().find((name) => name.endsWith('_site') && reader.has(name));
  if (site !== undefined) input.service_site = reader.text(site);
  const date = ['mainland_pubdate', 'pubdate'].find((name) => reader.has(name));
  if (date !== undefined) input.mainland_pubdate = reader.text(date);
  if (reader.has('schedule_url')) input.has_schedule = reader.text('schedule_url') !== '';
  else if (reader.has('has_schedule')) input.has_schedule = reader.raw('has_schedule') === true;
  if (reader.has('tags')) {
    input.tags = [...new Set(reader.namedTexts('tags'))].filter((tag) => tag.trim() !== '');
  }
  if (reader.has('subtype')) {
    const subtype = reader.text('subtype');
    if (subtype !== 'movie' && subtype !== 'tv') {
      throw new RecordError('subtype must be movie or tv');
    }
    input.subtype = subtype;
  }
}

/** Reads the subject's own fields. @throws RecordError with the reason */
export function readSubject(reader: RecordReader): SubjectRecord {
  const input: Record<string, unknown> = {};
  for (const name of TEXTS) if (reader.has(name)) input[name] = reader.text(name);
  for (const name of LISTS) if (reader.has(name)) input[name] = reader.texts(name);
  for (const name of COUNTS) if (reader.has(name)) input[name] = reader.count(name);
  for (const name of OF_SERIES) {
    const count = reader.maybeCount(name);
    if (count !== undefined) input[name] = count;
  }
  if (reader.has('do_count')) input.do_count = reader.count('do_count');
  if (reader.has('comments_count')) input.comments_count_base = reader.count('comments_count');
  if (reader.has('reviews_count')) input.reviews_count_base = reader.count('reviews_count');
  const images = reader.object('images');
  if (images) {
    const { small, medium, large } = images.sizes();
    Object.assign(input, { image_small: small, image_medium: medium, image_large: large });
  }
  const rating = reader.object('rating');
  if (rating) Object.assign(input, readRating(rating));
  readVideos(reader, input);
  readMore(reader, input);
  return { id: reader.requiredId('id'), placeholder: reader.raw('placeholder') === true, input };
}

/**
 * Completes a subject: movies have no series fields, and series have 0 until they are known (D34).
 */
export function completeSubject(
  input: Partial<SubjectFields>,
  existing: SubjectFields | undefined,
  blank: Partial<SubjectFields>,
): SubjectFields {
  const subtype = input.subtype ?? existing?.subtype ?? 'movie';
  const none = { do_count: null, seasons_count: null, current_season: null, episodes_count: null };
  const zero = { do_count: 0, seasons_count: 0, current_season: 0, episodes_count: 0 };
  const before = { ...blank, tags: [], ...existing } as SubjectFields;
  if (subtype !== 'tv') return { ...before, ...input, ...none, subtype };
  const started = existing?.subtype === 'tv' ? {} : zero;
  const all = { ...before, ...started, ...input, subtype };
  return { ...all, do_count: all.do_count ?? 0 };
}

/** A subject in the service's own JSON shape, without nested records. */
export function wireSubject(subject: SubjectFields) {
  const { image_small: small, image_medium: medium, image_large: large } = subject;
  return {
    title: subject.title,
    original_title: subject.original_title,
    aka: subject.aka,
    rating: { max: 10, average: subject.rating_average, stars: subject.stars, min: 0 },
    ratings_count: subject.ratings_count,
    wish_count: subject.wish_count,
    collect_count: subject.collect_count,
    do_count: subject.do_count,
    images: { small, large, medium },
    subtype: subject.subtype,
    website: subject.website,
    service_site: subject.service_site,
    pubdates: subject.pubdates,
    mainland_pubdate: subject.mainland_pubdate,
    year: subject.year,
    languages: subject.languages,
    durations: subject.durations,
    genres: subject.genres,
    countries: subject.countries,
    summary: subject.summary,
    comments_count: subject.comments_count_base,
    reviews_count: subject.reviews_count_base,
    seasons_count: subject.seasons_count,
    current_season: subject.current_season,
    episodes_count: subject.episodes_count,
    has_schedule: subject.has_schedule,
    trailer_urls: subject.trailer_urls,
    clip_urls: subject.clip_urls,
    blooper_urls: subject.blooper_urls,
    tags: subject.tags,
  };
}

/** Names of the members of a film or series in a file, except `id` and its people. */
export type SubjectMember = keyof ReturnType<typeof wireSubject>;

/** A person in a list of a subject; undefined when empty. */
function readPerson(
  family: MovieHandlers,
  value: unknown,
  member: string,
): Pick<CreditRecord, 'celebrity_id' | 'name' | 'parts'> | undefined {
  const reader = new RecordReader(value, member);
  const id = reader.id('id');
  if (id !== undefined) {
    const celebrity = readPlaceholderCelebrity(value, member);
    return { celebrity_id: id, name: '', parts: toPart(family.celebrity, [celebrity]) };
  }
  const name = reader.text('name');
  return name.trim() === '' ? undefined : { celebrity_id: null, name };
}

function readCredits(
  family: MovieHandlers,
  reader: RecordReader,
  subjectId: number,
): CreditRecord[] {
  const credits: CreditRecord[] = [];
  for (const [member, role] of Object.entries(PEOPLE_LISTS)) {
    reader.list(member).forEach((value, at) => {
      const person = readPerson(family, value, member);
      if (!person) return;
      const roles = [{ role, position: toSortOrder(at) }];
      credits.push({ subject_id: subjectId, roles, ...person });
    });
  }
  return credits;
}

function findContent(family: MovieHandlers, reader: RecordReader, id: number): readonly Part[] {
  const owner = { subject_id: id, celebrity_id: null };
  const inside = (handler: NestedHandler, member: string): Part => ({
    kind: handler,
    records: reader.list(member).map((value, at) => handler.parseInside(value, owner, at)),
  });
  return [
    { kind: family.credit, records: readCredits(family, reader, id) },
    inside(family.photo, 'photos'),
    inside(family.review, 'popular_reviews'),
    inside(family.comment, 'popular_comments'),
  ].filter(({ records }) => records.length > 0);
}

/** Parses a subject and its nested records. @throws RecordError with the reason */
export function parseSubject(family: MovieHandlers, value: unknown, path = ''): SubjectRecord {
  const reader = new RecordReader(value, path);
  const record = readSubject(reader);
  return { ...record, children: findContent(family, reader, record.id) };
}

/** Parses a nested subject. @throws RecordError with the reason */
export const parsePlaceholderSubject = (
  family: MovieHandlers,
  value: unknown,
  path: string,
): SubjectRecord => ({ ...parseSubject(family, value, path), placeholder: true });
