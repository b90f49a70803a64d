import { Injectable } from '@nestjs/common';
import { AnnotationKind } from './annotation.kind';
import { BookKind } from './book.kind';
import { CollectionKind } from './collection.kind';
import { type Kind } from './kind';
import { ReviewKind } from './review.kind';
import { UserKind } from './user.kind';

/** Every kind that is imported and exported, in the order that later ones rest on earlier ones. */
@Injectable()
export class Kinds {
  readonly all: readonly Kind[];
  /** Members of list responses whose elements are records. */
  readonly members: ReadonlySet<string>;

  constructor() {
    const books = new BookKind();
    const kinds = [
      new UserKind(),
      books,
      new CollectionKind(books),
      new AnnotationKind(books),
      new ReviewKind(books),
    ];
    this.all = kinds;
    this.members = new Set(kinds.map(({ member }) => member));
  }

  /** @throws Error naming the kinds there are */
  named(name: string): Kind {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new Error(`no such kind: ${name}; there are ${this.all.map((k) => k.name).join(', ')}`);
  }

  ofMember(member: string): Kind {
    const kind = this.all.find((one) => one.member === member);
    if (!kind) throw new Error(`no kind has the list member ${member}`);
    return kind;
  }
}
