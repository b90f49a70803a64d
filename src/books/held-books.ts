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
    this.held.register('collection', showCollection);
    this.held.register('annotation', showAnnotation);
    this.held.register('review', async (runner, id) => {
      await runner.run(SHOW_REVIEW, [id]);
    });
  }
}
