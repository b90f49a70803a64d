/**
 * Numbers of records of a generated catalogue. All grow with the books, so that the lists of
 * {@link LARGE} grow too, and typical lists keep their length.
 */
export interface Catalogue {
  readonly books: number;
  readonly users: number;
  /** Collections of each user but the first, which has {@link largeList}. */
  readonly perUser: number;
  readonly annotations: number;
  readonly reviews: number;
  readonly events: number;
  readonly participations: number;
  readonly films: number;
  readonly celebrities: number;
  readonly notes: number;
}

/** First ids of the generated records: above real ones. */
export const FIRST = 100_000_000;
/** Cities with events, in three time zones. */
export const CITIES = 100;
export const ZONES = ['Asia/Shanghai', 'America/New_York', 'Europe/Paris'] as const;
/** Books of a series. */
export const SERIES_BOOKS = 10;

/** The catalogue for a number of books: 1,000,000 books have 10,000,000 collections. */
export const catalogueOf = (books: number): Catalogue => ({
  ...{ books, users: Math.ceil(books / 10), perUser: 99, events: books },
  ...{ annotations: Math.ceil(books / 2), reviews: Math.ceil(books / 10) },
  ...{ participations: books * 3, films: Math.ceil(books / 10), notes: Math.ceil(books / 10) },
  celebrities: Math.ceil(books / 20),
});

/**
 * Length of the lists of the first user, book, film, event and note: a hundredth of the books, and
 * a tenth for collections.
 */
export const largeList = ({ books }: Catalogue): number => Math.ceil(books / 100);
export const largeCollection = ({ books }: Catalogue): number => Math.ceil(books / 10);
