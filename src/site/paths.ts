import { withQuery } from '../web/with-query';

/** Paths of the public pages, as in the addresses that the API returns (D11). */
export const to = {
  book: (id: string | number): string => `/book/${id}/`,
  bookAnnotations: (id: string | number): string => `/book/${id}/annotations/`,
  bookReviews: (id: string | number): string => `/book/${id}/reviews/`,
  review: (id: string | number): string => `/review/${id}/`,
  annotation: (id: string | number): string => `/book/annotation/${id}/`,
  series: (id: string | number): string => `/book/series/${id}/`,
  tag: (tag: string): string => `/book/tag/${encodeURIComponent(tag)}`,
  subject: (id: string | number): string => `/movie/subject/${id}/`,
  celebrity: (id: string | number): string => `/movie/celebrity/${id}/`,
  movieReview: (id: string | number): string => `/movie/review/${id}/`,
  chart: (name: string): string => `/movie/chart/${name}`,
  event: (id: string | number): string => `/event/${id}/`,
  eventCalendar: (id: string | number): string => `/event/${id}/calendar.ics`,
  note: (id: string | number): string => `/note/${id}/`,
  person: (uid: string): string => `/people/${encodeURIComponent(uid)}/`,
  events: (query: Readonly<Record<string, string | undefined>>): string =>
    withQuery('/event/list', query),
};
