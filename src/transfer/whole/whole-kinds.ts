import { Injectable } from '@nestjs/common';
import { PictureStorage } from '../../images/picture-storage';
import { type Kind } from '../kind';
import { Kinds } from '../kinds';
import { type CreditRecord } from '../movies/credit.record';
import { BookSourceKind } from './book-source.kind';
import { KeptKind } from './kept.kind';
import { NumberedCreditKind } from './numbered-credit.kind';
import { PictureKind } from './picture.kind';
import { RowKind } from './row.kind';

/** By kind, the table whose rows have more than the kind's records show, and what. */
const KEPT: Readonly<Record<string, readonly [table: string, columns: readonly string[]]>> = {
  user: ['users', ['blocked_at', 'created_at']],
  book: ['books', ['created_at', 'updated_at']],
  annotation: ['annotations', ['created_at']],
  loc: ['cities', ['created_at']],
  movie: ['subjects', ['created_at', 'updated_at']],
  celebrity: ['celebrities', ['created_at', 'updated_at']],
  'movie-review': ['movie_reviews', ['updated_at']],
  event: ['events', ['created_at', 'updated_at']],
};

const STUBS = [
  new RowKind({
    name: 'user-stub',
    table: 'users',
    columns: ['uid', 'name', 'signature', 'avatar', 'blocked_at', 'created_at'],
    stubs: true,
  }),
  new RowKind({
    name: 'book-stub',
    table: 'books',
    columns: ['title', 'created_at', 'updated_at'],
    stubs: true,
  }),
  new RowKind({
    name: 'loc-stub',
    table: 'cities',
    columns: ['uid', 'name', 'parent', 'habitable', 'time_zone', 'created_at'],
    stubs: true,
  }),
  new RowKind({
    name: 'note-stub',
    table: 'notes',
    columns: ['privacy', 'published_at', 'updated_at'],
    stubs: true,
  }),
];

/**
 * Everything that a whole export has, in the order that an import needs: what is known of others
 * only, series, every kind that there is, and what shows and explains them.
 */
@Injectable()
export class WholeKinds {
  readonly all: readonly Kind[];

  constructor(kinds: Kinds, storage: PictureStorage) {
    this.all = [
      ...STUBS,
      new RowKind({ name: 'series', table: 'series', columns: ['title'] }),
      ...kinds.all.map((kind) => {
        if (kind.name === 'credit') return new NumberedCreditKind(kind as Kind<CreditRecord>);
        const [table, columns] = KEPT[kind.name] ?? [];
        return table === undefined ? kind : new KeptKind(kind, table, columns ?? []);
      }),
      new RowKind({
        name: 'note-version',
        table: 'note_versions',
        columns: ['note_id', 'title', 'content', 'replaced_at'],
      }),
      new BookSourceKind(),
      new PictureKind(storage),
    ];
  }

  /** @throws Error for a kind that this service does not know */
  named(name: string): Kind {
    const kind = this.all.find((one) => one.name === name);
    if (kind) return kind;
    throw new Error(`the export has a kind that this service does not know: ${name}`);
  }
}
