import { Injectable, Optional } from '@nestjs/common';
import { OperationError } from '../../api/errors/error-codes';
import { Settings } from '../../config/settings';
import { AnnotationHandler } from '../books/annotation.handler';
import { BookHandler } from '../books/book.handler';
import { CollectionHandler } from '../books/collection.handler';
import { EventHandler } from '../events/event.handler';
import { FriendHandler } from '../users/friend.handler';
import { type RecordHandler } from './record-handler';
import { NoteHandler } from '../notes/note.handler';
import { NoteLikeHandler } from '../notes/note-like.handler';
import { NoteReplyHandler } from '../notes/note-reply.handler';
import { LocHandler } from '../events/loc.handler';
import { chartsWith, movieHandlers, type ChartOptions } from '../movies';
import { ParticipationHandler } from '../events/participation.handler';
import { ReviewHandler } from '../books/review.handler';
import { UserHandler } from '../users/user.handler';

/** A handler of records that administrators edit. */
export type EditedHandler = RecordHandler & Required<Pick<RecordHandler, 'editing'>>;

/** All record handlers, in dependency order. */
@Injectable()
export class RecordHandlers {
  readonly all: readonly RecordHandler[];

  /** @param settings for the address of this service, which responses of the API contain */
  constructor(@Optional() settings?: Settings) {
    const baseUrl = settings?.baseUrl;
    const books = new BookHandler();
    this.all = [
      new UserHandler(),
      books,
      new CollectionHandler(books),
      new AnnotationHandler(books, baseUrl),
      new ReviewHandler(books),
      new FriendHandler(),
      new NoteHandler(baseUrl),
      new NoteReplyHandler(),
      new NoteLikeHandler(),
      new LocHandler(),
      ...movieHandlers(),
      new EventHandler(),
      new ParticipationHandler(),
    ];
  }

  /** @throws OperationError listing the valid kinds */
  named(name: string): RecordHandler {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new OperationError(
      `unknown record type: ${name}; existing types: ${this.all.map((k) => k.name).join(', ')}`,
    );
  }

  /** @throws Error when administrators cannot edit records of the kind */
  edited(name: string): EditedHandler {
    const handler = this.named(name);
    if (handler.editing) return handler as EditedHandler;
    throw new Error(`records of kind ${name} cannot be edited`);
  }

  /** The chart handler with defaults for files that omit the name, day or city of a chart. */
  charts(options: ChartOptions): RecordHandler {
    return chartsWith(this.named('chart'), options);
  }

  /**
   * Maps members of list responses to their record handlers, for a file of the given kind. If kinds
   * share a member, the file's own kind wins, then the first kind. Lists nested inside the kind's
   * own records are not list responses.
   */
  listsOf(own: RecordHandler): ReadonlyMap<string, RecordHandler> {
    const lists = new Map<string, RecordHandler>();
    for (const kind of [own, ...this.all]) {
      if (!lists.has(kind.member)) lists.set(kind.member, kind);
    }
    for (const member of own.nestedLists ?? []) lists.delete(member);
    return lists;
  }
}
