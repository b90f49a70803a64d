import { bool, int, list, ref, resource, str } from '../api/resources/resource';
import { SimpleSubject } from './movies.resources';

/** Box entry (specification section 2.9). */
export const BoxEntry = resource('BoxEntry', {
  rank: { type: int() },
  box: { type: int() },
  new: { type: bool() },
  subject: { type: ref(SimpleSubject) },
});

/** Weekly entry (specification section 2.9, D35). */
export const WeeklyEntry = resource('WeeklyEntry', {
  rank: { type: int() },
  delta: { type: int(), about: 'Rank of the week before minus this one.' },
  subject: { type: ref(SimpleSubject) },
});

/** The box-office chart (specification section 4.3, D36). */
export const BoxOffice = resource('BoxOffice', {
  title: { type: str() },
  date: { type: str(), about: 'First and last day that the chart is of: M月D日 - M月D日.' },
  subjects: { type: list(ref(BoxEntry)) },
});

/** The chart of a week (specification section 4.3, D35). */
export const WeeklyChart = resource('WeeklyChart', {
  title: { type: str() },
  subjects: { type: list(ref(WeeklyEntry)) },
});

/** The chart of new movies (specification section 4.3). */
export const NewMovies = resource('NewMovies', {
  title: { type: str() },
  subjects: { type: list(ref(SimpleSubject)) },
});
