import { bool, int, list, ref, resource, str } from '../api/resources/resource';
import { SimpleSubject } from './movies.resources';

/** Box entry (specification section 2.9). */
export const BoxEntry = resource('BoxEntry', {
  rank: { type: int(), about: 'Rank, starting at 1.' },
  box: { type: int(), about: 'Box office of the weekend, in US dollars.' },
  new: { type: bool(), about: 'Whether the film is new in the chart.' },
  subject: { type: ref(SimpleSubject), about: 'The film.' },
});

/** Weekly entry (specification section 2.9, D35). */
export const WeeklyEntry = resource('WeeklyEntry', {
  rank: { type: int(), about: 'Rank, starting at 1.' },
  delta: { type: int(), about: 'Rank of the week before minus this one.' },
  subject: { type: ref(SimpleSubject), about: 'The film.' },
});

/** The box-office chart (specification section 4.3, D36). */
export const BoxOffice = resource('BoxOffice', {
  title: { type: str(), about: 'Title of the chart.' },
  date: { type: str(), about: 'First and last day that the chart is of: M月D日 - M月D日.' },
  subjects: { type: list(ref(BoxEntry)), about: 'Entries, best first.' },
});

/** The chart of a week (specification section 4.3, D35). */
export const WeeklyChart = resource('WeeklyChart', {
  title: { type: str(), about: 'Title of the chart.' },
  subjects: { type: list(ref(WeeklyEntry)), about: 'Entries, best first.' },
});

/** The chart of new movies (specification section 4.3). */
export const NewMovies = resource('NewMovies', {
  title: { type: str(), about: 'Title of the chart.' },
  subjects: { type: list(ref(SimpleSubject)), about: 'Films, best first.' },
});
