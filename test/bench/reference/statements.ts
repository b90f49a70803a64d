import { BY_ID_FOR } from '../../../src/books/books.repository';
import { OF_USER } from '../../../src/books/user-collections.sql';
import { type Statement } from '../../../src/database/database';
import { BY_ID, USERS_OF } from '../../../src/events/events.repository';
import { TOP250 } from '../../../src/movies/charts.repository';
import { COMMENTS_OF_SUBJECT } from '../../../src/movies/reviews.repository';
import { SUBJECT_BY_ID } from '../../../src/movies/subjects.repository';
import { FIRST_USER } from '../../../src/import-export/synthetic/synthetic';

/** A statement with its parameters. */
export type Query = readonly [Statement, unknown[]];

/** A page of a list. */
interface Page {
  readonly start?: number | string | null;
  readonly count?: number | string | null;
}

const pageOf = ({ start, count }: Page, usual: number): number[] => [
  Number(count ?? usual),
  Number(start ?? 0),
];

/**
 * What the servers that the service is compared with ask the database: the service's own
 * statements, one a request. `viewer` is the id of the token's user.
 */
export const queries = {
  book: (id: string, viewer: number): Query => [BY_ID_FOR, [Number(id), viewer]],
  film: (id: string): Query => [SUBJECT_BY_ID.basic, [Number(id)]],
  event: (id: string, viewer: number): Query => [BY_ID, [Number(id), viewer]],
  /** `name` is that of a synthetic user. */
  collections: (name: string, viewer: number, page: Page): Query => {
    const id = FIRST_USER + Number(name.replace('synthetic', ''));
    return [OF_USER, [...pageOf(page, 20), id, viewer, null, null]];
  },
  comments: (id: string, page: Page): Query => [
    COMMENTS_OF_SUBJECT,
    [...pageOf(page, 10), Number(id)],
  ],
  participants: (id: string, viewer: number, page: Page): Query => [
    USERS_OF.participate,
    [...pageOf(page, 20), Number(id), viewer, 'participate'],
  ],
  top250: (page: Page): Query => [TOP250.basic, pageOf(page, 20)],
};
