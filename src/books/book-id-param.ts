import { MergeableIdParam } from '../api/routing/route';

/** The id of a book in a path; the id of a merged book means the surviving one (D149). */
export const BookIdParam = MergeableIdParam('book');
