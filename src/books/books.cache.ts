import { type CacheRule } from '../api/cache/cache-rule';
import { type BookRow, type UserCollections } from './books.rows';
import { isbnForms } from './isbn';

const book = (id: string): string => `book:${Number(id)}`;

const hasCollection = (result: unknown): boolean =>
  (result as BookRow).current_user_collection !== null;

/** A book by its id. It differs for users who have collected it. */
export const BOOK_BY_ID: CacheRule = {
  dependsOn: ({ id = '' }) => [book(id), 'series'],
  users: {
    dependsOn: ({ id = '' }, userId) => [`collection:${userId}:${Number(id)}`],
    isPersonal: hasCollection,
  },
};

/** A book by its ISBN, which another book may have too. The path does not tell its id. */
export const BOOK_BY_ISBN: CacheRule = {
  dependsOn: ({ name = '' }) => ['series', ...isbnForms(name).map((isbn) => `isbn:${isbn}`)],
  dependsOnResult: (result) => [book((result as BookRow).id)],
  users: 'excluded',
};

/** Collections of a user. They differ for the user, who sees private ones too. */
export const COLLECTIONS_OF_USER: CacheRule = {
  dependsOn: () => ['users', 'series'],
  dependsOnResult: (result) => {
    const { userId, items } = result as UserCollections;
    return [`collection:${userId}`, ...items.map(({ book: { id } }) => book(id))];
  },
  users: {
    // The name in the path means another user after a change of users.
    dependsOn: () => ['users'],
    isPersonal: (result) => (result as UserCollections).isOwn,
  },
};
