import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statement, type SqlExecutor } from '../database/database';
import { setPrivate } from '../images/pictures.repository';
import {
  annotationTextSql,
  collectionTextSql,
  titledTextSql,
} from '../moderation/content-texts.sql';
import { ModerationQueueService } from '../moderation/moderation-queue.service';
import { hiding, type Hidden } from '../moderation/hiding';
import { lockBook, applyCounterDelta, type Contribution } from './book-counters';

const BOOK_OF = statement(
  'moderation_queue.book_of_collection',
  'SELECT book_id::float8 AS book_id FROM collections WHERE id = $1',
);

const COLLECTIONS = hiding<Contribution & { bookId: number }>('collection', {
  table: 'collections',
  text: collectionTextSql(),
  more: ['book_id::float8 AS "bookId"', 'rating', 'tags', 'private'],
});
const ANNOTATIONS = hiding<{ private: boolean }>('annotation', {
  table: 'annotations',
  text: annotationTextSql(),
  more: ['private'],
});
const REVIEWS = hiding('review', {
  table: 'reviews',
  text: titledTextSql('title', 'content'),
});

/**
 * Locks the book of a collection. A merge of books can move the collection while this waits for the
 * lock, so the book is read again until it is the locked one.
 */
async function lockBookOf(executor: SqlExecutor, id: number): Promise<void> {
  let locked: number | undefined;
  for (;;) {
    const [found] = await executor.query<{ book_id: number }>(BOOK_OF, [id]);
    if (!found || found.book_id === locked) return;
    locked = found.book_id;
    await lockBook(executor, locked);
  }
}

/** Locks a collection after its book, in the same order as other changes of collections. */
async function lockCollection(executor: SqlExecutor, id: number): Promise<boolean> {
  await lockBookOf(executor, id);
  return COLLECTIONS.lock(executor, id);
}

async function hideCollection(executor: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const share = await COLLECTIONS.hide(executor, id);
  if (share) await applyCounterDelta(executor, share.bookId, share, { ...share, private: true });
  return share;
}

async function showCollection(executor: SqlExecutor, id: number): Promise<void> {
  const share = await COLLECTIONS.show(executor, id);
  if (share) await applyCounterDelta(executor, share.bookId, { ...share, private: true }, share);
}

async function hideAnnotation(executor: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const hidden = await ANNOTATIONS.hide(executor, id);
  if (hidden) await setPrivate(executor, 'annotation', id, true);
  return hidden;
}

async function showAnnotation(executor: SqlExecutor, id: number): Promise<void> {
  const shown = await ANNOTATIONS.show(executor, id);
  if (shown) await setPrivate(executor, 'annotation', id, shown.private);
}

async function showReview(executor: SqlExecutor, id: number): Promise<void> {
  await REVIEWS.show(executor, id);
}

/** Makes hidden texts about books visible and updates the counters that depend on them. */
@Injectable()
export class BookQueue implements OnModuleInit {
  constructor(private readonly queue: ModerationQueueService) {}

  onModuleInit(): void {
    this.queue.register('collection', {
      lock: lockCollection,
      show: showCollection,
      hide: hideCollection,
    });
    this.queue.register('annotation', {
      lock: ANNOTATIONS.lock,
      show: showAnnotation,
      hide: hideAnnotation,
    });
    this.queue.register('review', { lock: REVIEWS.lock, show: showReview, hide: REVIEWS.hide });
  }
}
