/**
 * Former names of record members by their current name. Files that earlier versions exported have
 * them, and imports accept both.
 */
export const FORMER_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['placeholder', 'stub'],
  ['hidden', 'held'],
  ['extra', 'kept'],
  ['deleted_at', 'removed_at'],
  ['created_book', 'made'],
  ['sort_order', 'place'],
  ['work_sort_order', 'work_place'],
  ['featured_sort_order', 'featured_place'],
]);

/** Current names of kinds by their former name in full exports. */
export const RENAMED_KINDS: ReadonlyMap<string, string> = new Map([
  ['user-stub', 'user-placeholder'],
  ['book-stub', 'book-placeholder'],
  ['loc-stub', 'loc-placeholder'],
  ['note-stub', 'note-placeholder'],
  ['held-text', 'moderation-entry'],
]);
