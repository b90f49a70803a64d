import { Injectable } from '@nestjs/common';
import { NotPossible } from '../api/errors';
import { AnnotationKind } from './annotation.kind';
import { BookKind } from './book.kind';
import { CollectionKind } from './collection.kind';
import { EventKind } from './event.kind';
import { FriendKind } from './friend.kind';
import { type Kind } from './kind';
import { NoteKind } from './note.kind';
import { NoteLikeKind } from './note-like.kind';
import { NoteReplyKind } from './note-reply.kind';
import { LocKind } from './loc.kind';
import { chartsWith, movieKinds, type ChartOptions } from './movies';
import { ParticipationKind } from './participation.kind';
import { ReviewKind } from './review.kind';
import { UserKind } from './user.kind';

/** Every kind that is imported and exported, in the order that later ones rest on earlier ones. */
@Injectable()
export class Kinds {
  readonly all: readonly Kind[];

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
  named(name: string): Kind {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new NotPossible(
      `no such kind: ${name}; there are ${this.all.map((k) => k.name).join(', ')}`,
    );
  }

  /** Charts of files that do not say themselves which chart, day and city they are of. */
  charts(options: ChartOptions): Kind {
    return chartsWith(this.named('chart'), options);
  }

  /**
   * Members of list responses whose elements are records, with the kind that they are of, when a
   * file of one kind is read. Where kinds share a member, it is the file's own kind or else the
   * first; lists that stand inside the kind's own records are no list responses.
   */
  listsOf(own: Kind): ReadonlyMap<string, Kind> {
    const lists = new Map<string, Kind>();
    for (const kind of [own, ...this.all]) {
      if (!lists.has(kind.member)) lists.set(kind.member, kind);
    }
    for (const member of own.inside ?? []) lists.delete(member);
    return lists;
  }
}
