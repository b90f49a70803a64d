import { note, reply } from './notes-records';
import { annotation, review } from './records';
import { type Wire } from './transfer';

/** Of each kind: its table, records of an import, and an insertion by a user `$1`. */
export interface Written {
  readonly kind: string;
  readonly table: string;
  readonly make: (id: number, user: number, parent: number) => Wire;
  readonly insert: string;
}

/** Texts of users whose ids an import may contain. */
export const WRITTEN: readonly Written[] = [
  {
    kind: 'annotation',
    table: 'annotations',
    make: (id, user, parent) => annotation(id, user, parent, {}),
    insert: 'INSERT INTO annotations (user_id, book_id, content) VALUES ($1, $2, $3) RETURNING id',
  },
  {
    kind: 'review',
    table: 'reviews',
    make: (id, user, parent) => review(id, user, parent, {}),
    insert: `INSERT INTO reviews (user_id, book_id, title, content) VALUES ($1, $2, 'own', $3)
      RETURNING id`,
  },
  {
    kind: 'note-reply',
    table: 'note_replies',
    make: (id, user, parent) => reply(id, parent, 'imported', user),
    insert: 'INSERT INTO note_replies (user_id, note_id, content) VALUES ($1, $2, $3) RETURNING id',
  },
  {
    kind: 'note',
    table: 'notes',
    make: (id, user) => note(id, { author_id: String(user), content: 'imported' }),
    insert: `INSERT INTO notes (user_id, privacy, recs_count, content) VALUES ($1, 'public', $2 % 10, $3)
      RETURNING id`,
  },
];
