import { type SubjectJson } from '../parts';
import { type StructuredData } from '../site-page';
import { aggregateRating, people, withoutEmpty } from '../structured-data';
import { type FullCelebrityJson } from './celebrity.pages';
import { type FullSubjectJson } from './movie.pages';

const typeOf = (subtype: string): string => (subtype === 'tv' ? 'TVSeries' : 'Movie');

/** A film or series with what lists have of it. */
export const simpleMovieData = (subject: SubjectJson): StructuredData =>
  withoutEmpty({
    '@type': typeOf(subject.subtype),
    '@id': subject.alt,
    url: subject.alt,
    name: subject.title,
    alternateName: subject.original_title,
    image: subject.images.large,
  });

/** A film or series. */
export const movieData = (subject: FullSubjectJson): StructuredData =>
  withoutEmpty({
    ...simpleMovieData(subject),
    description: subject.summary,
    dateCreated: /^\d{4}$/.test(subject.year) ? subject.year : undefined,
    genre: subject.genres,
    countryOfOrigin: subject.countries.map((name) => ({ '@type': 'Country', name })),
    director: people(subject.directors.map(({ name }) => name)),
    actor: people(subject.casts.map(({ name }) => name)),
    author: people((subject.writers ?? []).map(({ name }) => name)),
    aggregateRating: aggregateRating(subject.rating.average, subject.ratings_count),
  });

/** A person of films. */
export const celebrityData = (person: FullCelebrityJson): StructuredData =>
  withoutEmpty({
    '@type': 'Person',
    '@id': person.alt,
    url: person.alt,
    name: person.name,
    alternateName: person.name_en,
    image: person.avatars.large,
    description: person.summary,
    birthDate: /^\d{4}-\d\d-\d\d$/.test(person.birthday ?? '') ? person.birthday : undefined,
    birthPlace: person.born_place,
    jobTitle: person.professions,
  });
