import { type CacheRule } from '../api/cache/cache-rule';
import { type BookRow } from './books.rows';
import { isbnForms } from './isbn';

const book = (id: string): string => `book:${Number(id)}`;

const hasCollection = (result: unknown): boolean =>
  (result as BookRow).current_user_collection !== null;

/** A book by its id. It differs for users who have collected it. */
export const BOOK_BY_ID: CacheRule = {
  dependsOn: ({ id = '' }) => [book(id), 'series'],
  users: {
    dependsOn: ({ id = '' }, userId) => `collection:${userId}:${Number(id)}`,
    isPersonal: hasCollection,
  },
};

/** A book by its ISBN, which another book may have too. The path does not tell its id. */
export const BOOK_BY_ISBN: CacheRule = {
  dependsOn: ({ name = '' }) => ['series', ...isbnForms(name).map((isbn) => `isbn:${isbn}`)],
  dependsOnResult: (result) => [book((result as BookRow).id)],
  users: 'excluded',
};
