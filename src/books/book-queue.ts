import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statement, type SqlExecutor } from '../database/database';
import { setPrivate } from '../images/pictures.repository';
import { ModerationQueueService } from '../moderation/moderation-queue.service';
import { hiding, type Hidden } from '../moderation/hiding';
import { lockBook, applyCounterDelta, type Contribution } from './book-counters';

const BOOK_OF = statement(
  'held.book_of_collection',
  'SELECT book_id::float8 AS book_id FROM collections WHERE id = $1',
);

const COLLECTIONS = hiding<Contribution>('collection', {
  table: 'collections',
  text: 'comment',
  more: ['rating', 'tags', 'private'],
});
const ANNOTATIONS = hiding<{ private: boolean }>('annotation', {
  table: 'annotations',
  text: 'content',
  more: ['private'],
});
const REVIEWS = hiding('review', { table: 'reviews', text: 'content' });

/** The book of a collection, locked first, in the same order as other changes of collections. */
async function lockBookOf(runner: SqlExecutor, id: number): Promise<number | undefined> {
  const [found] = await runner.query<{ book_id: number }>(BOOK_OF, [id]);
  if (found) await lockBook(runner, found.book_id);
  return found?.book_id;
}

async function hideCollection(runner: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const book = await lockBookOf(runner, id);
  if (book === undefined) return undefined;
  const share = await COLLECTIONS.hide(runner, id);
  if (share) await applyCounterDelta(runner, book, share, { ...share, private: true });
  return share;
}

async function showCollection(runner: SqlExecutor, id: number): Promise<void> {
  const book = await lockBookOf(runner, id);
  if (book === undefined) return;
  const share = await COLLECTIONS.show(runner, id);
  if (share) await applyCounterDelta(runner, book, { ...share, private: true }, share);
}

async function hideAnnotation(runner: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const hidden = await ANNOTATIONS.hide(runner, id);
  if (hidden) await setPrivate(runner, 'annotation', id, true);
  return hidden;
}

async function showAnnotation(runner: SqlExecutor, id: number): Promise<void> {
  const shown = await ANNOTATIONS.show(runner, id);
  if (shown) await setPrivate(runner, 'annotation', id, shown.private);
}

async function showReview(runner: SqlExecutor, id: number): Promise<void> {
  await REVIEWS.show(runner, id);
}

/** Makes hidden texts about books visible and updates the counters that depend on them. */
@Injectable()
export class BookQueue implements OnModuleInit {
  constructor(private readonly held: ModerationQueueService) {}

  onModuleInit(): void {
    this.held.register('collection', showCollection, hideCollection);
    this.held.register('annotation', showAnnotation, hideAnnotation);
    this.held.register('review', showReview, REVIEWS.hide);
  }
}
