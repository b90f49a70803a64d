import {
  address,
  int,
  list,
  ref,
  resource,
  str,
  type WireContext,
} from '../api/resources/resource';
import { wholeRow, subjectPage } from './movies.resources';
import { type SimpleCelebrityRow, type SubjectRow } from './movies.rows';

/** A film or series with its tags, for the representation of the original service (D121). */
export interface LegacyMovieRow extends SubjectRow {
  readonly tags: readonly string[];
}

const namesOf = (people: readonly SimpleCelebrityRow[] = []): string[] =>
  people.map(({ name }) => name);

/** Rating with the average as text. */
export const LegacyMovieRating = resource('LegacyMovieRating', {
  max: { type: int(), from: () => 10, about: 'Highest possible rating.' },
  average: {
    type: str(),
    from: (row: LegacyMovieRow) => Number(row.rating_average).toFixed(1),
    about: 'Average rating, with one decimal: from `0.0` to `10.0`.',
  },
  numRaters: {
    type: int(),
    from: (row: LegacyMovieRow) => row.ratings_count,
    about: 'Number of users who have rated it.',
  },
  min: { type: int(), from: () => 0, about: 'Lowest possible rating; 0 means no ratings.' },
});

/** A person by name alone. */
export const LegacyMoviePerson = resource('LegacyMoviePerson', {
  name: { type: str(), from: (name: string) => name, about: 'Name.' },
});

/** A tag by name alone: tags of films have no counts. */
export const LegacyMovieTag = resource('LegacyMovieTag', {
  name: { type: str(), from: (name: string) => name, about: 'Text of the tag.' },
});

/** Facts as lists of texts. Each tier has those that it has in {@link Subject}. */
export const LegacyMovieAttributes = resource('LegacyMovieAttributes', {
  title: { type: list(str()), from: (row: LegacyMovieRow) => [row.title], about: 'Title.' },
  year: {
    type: list(str()),
    from: (row: LegacyMovieRow) => (row.year === '' ? [] : [row.year]),
    about: 'Year of the first release.',
  },
  director: {
    type: list(str()),
    from: (row: LegacyMovieRow) => namesOf(row.directors),
    about: 'Names of the directors.',
  },
  cast: {
    type: list(str()),
    from: (row: LegacyMovieRow) => namesOf(row.casts),
    about: 'Names of the main actors, at most 4.',
  },
  writer: {
    type: list(str()),
    tiers: 'AP',
    from: (row: LegacyMovieRow) => namesOf(row.writers),
    about: 'Names of the writers.',
  },
  movie_type: {
    type: list(str()),
    from: (row: LegacyMovieRow) => row.genres,
    about: 'Genres, at most 3.',
  },
  country: {
    type: list(str()),
    from: (row: LegacyMovieRow) => row.countries,
    about: 'Countries of production.',
  },
  language: {
    type: list(str()),
    tiers: 'AP',
    from: (row: LegacyMovieRow) => row.languages,
    about: 'Languages.',
  },
  pubdate: {
    type: list(str()),
    tiers: 'AP',
    from: (row: LegacyMovieRow) => row.pubdates,
    about:
      'Release dates or dates of first broadcast, `yyyy-MM-dd` with the country in parentheses.',
  },
  movie_duration: {
    type: list(str()),
    tiers: 'AP',
    from: (row: LegacyMovieRow) => row.durations,
    about: 'Running times with their unit, as free text such as `142分钟`.',
  },
});

/** A film or series as the original service represents it at `/v2/movie/:id` (D121). */
export const LegacyMovie = resource('LegacyMovie', {
  rating: { type: ref(LegacyMovieRating), from: wholeRow, about: 'Rating by all users.' },
  author: {
    type: list(ref(LegacyMoviePerson)),
    from: (row: LegacyMovieRow) => namesOf(row.directors),
    about: 'Directors.',
  },
  alt_title: {
    type: str(),
    from: (row: LegacyMovieRow) => row.aka.join(' / '),
    about: 'Other titles, separated by ` / `; may be empty.',
  },
  image: {
    type: address(),
    from: (row: LegacyMovieRow) => row.image_medium || '/pictures/sample/default/movie-m.jpg',
    about: 'Poster of 96x155 pixels.',
  },
  title: { type: str(), about: 'Chinese title.' },
  summary: { type: str(), about: 'Summary, as plain text.' },
  attrs: { type: ref(LegacyMovieAttributes), from: wholeRow, about: 'Facts as lists of texts.' },
  id: {
    type: str(),
    from: (row: LegacyMovieRow, context: WireContext) => `${context.baseUrl}/v2/movie/${row.id}`,
    about: 'URL of the film or series in this API. It ends in the id.',
  },
  mobile_link: {
    type: str(),
    from: (row: LegacyMovieRow, context: WireContext) => `${subjectPage(row.id, context)}mobile`,
    about: 'URL of the page for mobile screens.',
  },
  alt: {
    type: str(),
    from: (row: LegacyMovieRow, context: WireContext) => subjectPage(row.id, context),
    about: 'URL of the page of the film or series.',
  },
  tags: {
    type: list(ref(LegacyMovieTag)),
    about: 'Tags, without counts.',
  },
});
