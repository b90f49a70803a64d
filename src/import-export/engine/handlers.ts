import { Injectable } from '@nestjs/common';
import { OperationError } from '../../api/errors/errors';
import { AnnotationKind } from '../books/annotation.handler';
import { BookKind } from '../books/book.handler';
import { CollectionKind } from '../books/collection.handler';
import { EventKind } from '../events/event.handler';
import { FriendKind } from '../users/friend.handler';
import { type RecordHandler } from './record-handler';
import { NoteKind } from '../notes/note.handler';
import { NoteLikeKind } from '../notes/note-like.handler';
import { NoteReplyKind } from '../notes/note-reply.handler';
import { LocKind } from '../events/loc.handler';
import { chartsWith, movieKinds, type ChartOptions } from '../movies';
import { ParticipationKind } from '../events/participation.handler';
import { ReviewKind } from '../books/review.handler';
import { UserKind } from '../users/user.handler';

/** Every kind that is imported and exported, in the order that later ones rest on earlier ones. */
@Injectable()
export class Kinds {
  readonly all: readonly RecordHandler[];

  constructor() {
    const books = new BookKind();
    this.all = [
      new UserKind(),
      books,
      new CollectionKind(books),
      new AnnotationKind(books),
      new ReviewKind(books),
      new FriendKind(),
      new NoteKind(),
      new NoteReplyKind(),
      new NoteLikeKind(),
      new LocKind(),
      ...movieKinds(),
      new EventKind(),
      new ParticipationKind(),
    ];
  }

  /** @throws NotPossible naming the kinds there are */
  named(name: string): RecordHandler {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new OperationError(
      `no such kind: ${name}; there are ${this.all.map((k) => k.name).join(', ')}`,
    );
  }

  /** Charts of files that do not say themselves which chart, day and city they are of. */
  charts(options: ChartOptions): RecordHandler {
    return chartsWith(this.named('chart'), options);
  }

  /**
   * Members of list responses whose elements are records, with the kind that they are of, when a
   * file of one kind is read. Where kinds share a member, it is the file's own kind or else the
   * first; lists that stand inside the kind's own records are no list responses.
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
