/**
 * What goes with the removal of rows by administrators, beside the mark: what finds them. SQL by
 * table; ids of the rows, which are marked already, are parameter 1.
 */
export const ON_SOFT_DELETE: Readonly<Record<string, readonly string[]>> = {
  // That a book is a stub is what reads know already.
  books: [
    'UPDATE books SET stub = true WHERE id = ANY($1::bigint[]) AND NOT stub',
    'DELETE FROM book_search WHERE book_id = ANY($1::bigint[])',
  ],
  subjects: ['DELETE FROM subject_search WHERE subject_id = ANY($1::bigint[])'],
};
