/**
 * Statements that run when rows are soft-deleted, to remove them from searches and lists. SQL by
 * table; parameter 1 has the ids of the rows, whose `removed_at` is already set.
 */
export const ON_SOFT_DELETE: Readonly<Record<string, readonly string[]>> = {
  // Reads of books already exclude placeholders.
  books: [
    'UPDATE books SET stub = true WHERE id = ANY($1::bigint[]) AND NOT stub',
    'DELETE FROM book_search WHERE book_id = ANY($1::bigint[])',
  ],
  subjects: ['DELETE FROM subject_search WHERE subject_id = ANY($1::bigint[])'],
};
