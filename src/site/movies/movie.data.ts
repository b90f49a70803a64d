import { type SubjectJson } from '../parts';
import { type StructuredData } from '../site-page';
import { aggregateRating, otherThan, withoutEmpty } from '../structured-data';
import { type FullCelebrityJson } from './celebrity.pages';
import { type FullSubjectJson } from './movie.pages';

const typeOf = (subtype: string): string => (subtype === 'tv' ? 'TVSeries' : 'Movie');

/** People of a film; those with a page have its address. */
const peopleOf = (people: FullSubjectJson['directors']): StructuredData[] =>
  people.map(({ name, alt }) => withoutEmpty({ '@type': 'Person', name, url: alt ?? '' }));

/** A film or series with what lists have of it. */
export const simpleMovieData = (subject: SubjectJson): StructuredData =>
  withoutEmpty({
    '@type': typeOf(subject.subtype),
    '@id': subject.alt,
    url: subject.alt,
    name: subject.title,
    alternateName: otherThan(subject.title, subject.original_title),
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
    director: peopleOf(subject.directors),
    actor: peopleOf(subject.casts),
    author: peopleOf(subject.writers ?? []),
    aggregateRating: aggregateRating(subject.rating.average, subject.ratings_count),
  });

/** A person of films. */
export const celebrityData = (person: FullCelebrityJson): StructuredData =>
  withoutEmpty({
    '@type': 'Person',
    '@id': person.alt,
    url: person.alt,
    name: person.name,
    alternateName: otherThan(person.name, person.name_en),
    image: person.avatars.large,
    description: person.summary,
    birthDate: /^\d{4}-\d\d-\d\d$/.test(person.birthday ?? '') ? person.birthday : undefined,
    birthPlace: person.born_place,
    jobTitle: person.professions,
  });
