import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statement, type Runner } from '../database/database';
import { setPrivate } from '../images/pictures.repository';
import { HeldService } from '../moderation/held.service';
import { lockBook, retally, type Share } from './tally';

const BOOK_OF = statement(
  'held.book_of_collection',
  'SELECT book_id::float8 AS book_id FROM collections WHERE id = $1',
);

const SHOW_COLLECTION = statement(
  'held.show_collection',
  `UPDATE collections SET held = false WHERE id = $1 AND held RETURNING rating, tags, private`,
);

const SHOW_ANNOTATION = statement(
  'held.show_annotation',
  'UPDATE annotations SET held = false WHERE id = $1 AND held RETURNING private',
);

const SHOW_REVIEW = statement('held.show_review', 'UPDATE reviews SET held = false WHERE id = $1');

const HIDE_COLLECTION = statement(
  'held.hide_collection',
  `UPDATE collections SET held = true WHERE id = $1 AND NOT held
   RETURNING rating, tags, private, user_id::float8 AS "userId", comment AS text`,
);

const HIDE_ANNOTATION = statement(
  'held.hide_annotation',
  `UPDATE annotations SET held = true WHERE id = $1 AND NOT held
   RETURNING user_id::float8 AS "userId", content AS text`,
);

const HIDE_REVIEW = statement(
  'held.hide_review',
  `UPDATE reviews SET held = true WHERE id = $1 AND NOT held
   RETURNING user_id::float8 AS "userId", content AS text`,
);

interface Hidden {
  readonly userId: number;
  readonly text: string;
}

async function hideCollection(runner: Runner, id: number): Promise<Hidden | undefined> {
  const [found] = await runner.run<{ book_id: number }>(BOOK_OF, [id]);
  if (!found) return undefined;
  await lockBook(runner, found.book_id);
  const [share] = await runner.run<Share & Hidden>(HIDE_COLLECTION, [id]);
  if (share) await retally(runner, found.book_id, share, { ...share, private: true });
  return share;
}

async function hideAnnotation(runner: Runner, id: number): Promise<Hidden | undefined> {
  const [hidden] = await runner.run<Hidden>(HIDE_ANNOTATION, [id]);
  if (hidden) await setPrivate(runner, 'annotation', id, true);
  return hidden;
}

async function showCollection(runner: Runner, id: number): Promise<void> {
  const [found] = await runner.run<{ book_id: number }>(BOOK_OF, [id]);
  if (!found) return;
  // The book first: whoever changes a collection does so, too.
  await lockBook(runner, found.book_id);
  const [share] = await runner.run<Share>(SHOW_COLLECTION, [id]);
  if (share) await retally(runner, found.book_id, { ...share, private: true }, share);
}

async function showAnnotation(runner: Runner, id: number): Promise<void> {
  const [shown] = await runner.run<{ private: boolean }>(SHOW_ANNOTATION, [id]);
  if (shown) await setPrivate(runner, 'annotation', id, shown.private);
}

/** Shows what was held back of what users say about books, with what it changes elsewhere. */
@Injectable()
export class HeldBooks implements OnModuleInit {
  constructor(private readonly held: HeldService) {}

  onModuleInit(): void {
    this.held.register('collection', showCollection, hideCollection);
    this.held.register('annotation', showAnnotation, hideAnnotation);
    this.held.register(
      'review',
      async (runner, id) => {
        await runner.run(SHOW_REVIEW, [id]);
      },
      async (runner, id) => (await runner.run<Hidden>(HIDE_REVIEW, [id]))[0],
    );
  }
}
