import { FIRST_USER, lines, Maker, type Wire } from './synthetic';

/** Number of records to generate. */
export interface SyntheticMovies {
  readonly subjects: number;
  readonly celebrities: number;
  readonly credits: number;
  readonly photos: number;
  readonly movieReviews: number;
  readonly movieComments: number;
  /**
   * Authors of reviews and photos. They are generated with the books, or else imported as
   * placeholders.
   */
  readonly users: number;
  readonly seed: number;
}

/** Synthetic ids begin above real ones. */
export const FIRST_SUBJECT = 100_000_000;
export const FIRST_CELEBRITY = 200_000_000;
const FIRST_PHOTO = 3_000_000_000;
const FIRST_REVIEW = 100_000_000;
const FIRST_COMMENT = 2_000_000_000;

const GENRES = ['剧情', '喜剧', '动作', '爱情', '科幻', '动画', '悬疑', '纪录片'];
const COUNTRIES = ['中国大陆', '美国', '日本', '法国', '英国', '韩国'];
const two = (number: number): string => String(number).padStart(2, '0');

function day(make: Maker): string {
  return `${1960 + make.below(65)}-${two(1 + make.below(12))}-${two(1 + make.below(28))}`;
}

function moment(make: Maker): string {
  const time = [make.below(24), make.below(60), make.below(60)].map(two).join(':');
  return `20${10 + make.below(15)}-${two(1 + make.below(12))}-${two(1 + make.below(28))} ${time}`;
}

const pick = (make: Maker, all: readonly string[]): string => all[make.below(all.length)] as string;

function makeSubject(make: Maker, at: number): Wire {
  const date = day(make);
  const series = make.below(5) === 0;
  const id = FIRST_SUBJECT + at;
  const genres = [...new Set([pick(make, GENRES), pick(make, GENRES)])];
  return {
    id: String(id),
    title: make.title(),
    original_title: make.title(),
    aka: [make.title()],
    rating: { average: (2 + make.below(79) / 10).toFixed(1) },
    ratings_count: make.below(100_000),
    wish_count: make.below(100_000),
    collect_count: make.below(200_000),
    images: Object.fromEntries(
      ['small', 'medium', 'large'].map((size) => [size, `/pictures/${size}/${id}.jpg`]),
    ),
    subtype: series ? 'tv' : 'movie',
    pubdates: [`${date}(${pick(make, COUNTRIES)})`],
    mainland_pubdate: date,
    year: date.slice(0, 4),
    languages: ['汉语普通话'],
    durations: [`${60 + make.below(120)}分钟`],
    genres,
    countries: [pick(make, COUNTRIES)],
    summary: make.hanzi(150),
    ...(series ? { seasons_count: 1, current_season: 1, episodes_count: 12 } : {}),
    tags: [`标签${make.below(300)}`, ...genres],
  };
}

/** Generates movies and series as newline-delimited JSON for the importer. */
export function syntheticSubjects({ subjects, seed }: SyntheticMovies): Generator<string> {
  const make = new Maker(seed + 10);
  return lines(subjects, (at) => makeSubject(make, at));
}

export function syntheticCelebrities({ celebrities, seed }: SyntheticMovies): Generator<string> {
  const make = new Maker(seed + 11);
  return lines(celebrities, (at) => ({
    id: String(FIRST_CELEBRITY + at),
    name: make.hanzi(3),
    name_en: `${make.word()} ${make.word()}`,
    avatars: { medium: `/pictures/people/${FIRST_CELEBRITY + at}.jpg` },
    gender: make.below(2) === 0 ? '男' : '女',
    birthday: day(make),
    born_place: pick(make, COUNTRIES),
    professions: ['演员'],
    summary: make.hanzi(80),
  }));
}

/** Credits: people of a subject are consecutive, so that no pair occurs twice. */
export function syntheticCredits(volume: SyntheticMovies): Generator<string> {
  const { subjects, celebrities, credits } = volume;
  const each = Math.max(1, Math.ceil(credits / Math.max(1, subjects)));
  return lines(Math.min(credits, subjects * Math.min(each, celebrities)), (at) => {
    const subject = Math.floor(at / each);
    const place = at % each;
    const role = place === 0 ? '导演' : place === each - 1 && each > 2 ? '编剧' : '演员';
    return {
      subject_id: String(FIRST_SUBJECT + subject),
      celebrity_id: String(FIRST_CELEBRITY + ((subject * 7919 + place) % celebrities)),
      roles: [role],
      positions: [role === '演员' ? place - 1 : 0],
    };
  });
}

/** The author and subject of a review or comment. */
const by = (make: Maker, { subjects, users }: SyntheticMovies): Wire => ({
  subject_id: String(FIRST_SUBJECT + make.below(subjects)),
  author_id: String(FIRST_USER + make.below(users)),
  created_at: moment(make),
});

export function syntheticPhotos(volume: SyntheticMovies): Generator<string> {
  const make = new Maker(volume.seed + 12);
  return lines(volume.photos, (at) => {
    const id = FIRST_PHOTO + at;
    const address = (size: string): string => `/pictures/photos/${size}/${id}.jpg`;
    const sizes = ['icon', 'image', 'thumb', 'cover'].map((size) => [size, address(size)]);
    return { id: String(id), ...by(make, volume), ...(Object.fromEntries(sizes) as Wire) };
  });
}

export function syntheticMovieReviews(volume: SyntheticMovies): Generator<string> {
  const make = new Maker(volume.seed + 13);
  return lines(volume.movieReviews, (at) => ({
    id: String(FIRST_REVIEW + at),
    ...by(make, volume),
    title: make.title(),
    summary: make.hanzi(90),
    rating: { value: 1 + make.below(5) },
    useful_count: make.below(5000),
    useless_count: make.below(500),
  }));
}

export function syntheticMovieComments(volume: SyntheticMovies): Generator<string> {
  const make = new Maker(volume.seed + 14);
  return lines(volume.movieComments, (at) => ({
    id: String(FIRST_COMMENT + at),
    ...by(make, volume),
    content: make.hanzi(40),
    rating: { value: 1 + make.below(5) },
    useful_count: make.below(5000),
  }));
}
