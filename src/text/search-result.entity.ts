import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';

/** The id of the transaction that writes the row, part of the primary key. */
const TransactionIdColumn = (): PropertyDecorator =>
  PrimaryColumn('bigint', {
    name: 'transaction_id',
    transformer: BIGINT,
    default: () => 'pg_current_xact_id()::text::bigint',
  });

/** A stored search: the total and the first hits, in the order of the search. */
@Entity('search_results')
export class SearchResult {
  /** The table of search texts. */
  @PrimaryColumn('text')
  source: string;

  /** The folded query, and for a search with a tag a line feed and the folded tag. */
  @PrimaryColumn('text')
  phrase: string;

  @Column('integer')
  total: number;

  /** The snapshot (`pg_snapshot`) that the search was evaluated in. */
  @Column('text', { name: 'as_of' })
  asOf: string;

  /** Start of the PostgreSQL server that the snapshot is of. */
  @Column('timestamptz', { name: 'server_started_at' })
  serverStartedAt: Date;

  @Column('bigint', { array: true })
  ids: string[];

  @Column('integer', { array: true })
  ranks: number[];

  @Column('integer', { array: true })
  popularities: number[];

  @Column('timestamptz', { name: 'stored_at', default: () => 'now()' })
  storedAt: Date;
}

/** A change of a row of search texts. */
abstract class SearchChange {
  @TransactionIdColumn()
  transactionId: number;

  @IdColumn('ALWAYS')
  id: number;

  /** Whether the row existed before the change. */
  @Column('boolean')
  existed: boolean;

  /** The former text, where the change is of the text. */
  @Column('text', { nullable: true })
  body: string | null;

  @Column('tsvector', { nullable: true })
  terms: string | null;
}

/** A change of the search text or the popularity of a book. */
@Entity('book_search_changes')
export class BookSearchChange extends SearchChange {
  @Column('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;
}

/** A change of the search text or the popularity of a film. */
@Entity('subject_search_changes')
export class SubjectSearchChange extends SearchChange {
  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;
}

/** A tag that a record got or lost. An empty folded name stands for many changes of one statement. */
abstract class TagChange {
  /** The folded name. */
  @PrimaryColumn('text')
  folded: string;

  @TransactionIdColumn()
  transactionId: number;

  @IdColumn('ALWAYS')
  id: number;

  @Column('text', { nullable: true })
  name: string | null;

  /** Whether the record had the tag before the change. */
  @Column('boolean')
  existed: boolean;
}

/** A tag that a book got or lost. */
@Entity('book_tags_changes')
export class BookTagChange extends TagChange {
  @Column('bigint', { name: 'book_id', nullable: true, transformer: BIGINT })
  bookId: number | null;
}

/** A tag that a film got or lost. */
@Entity('subject_tags_changes')
export class SubjectTagChange extends TagChange {
  @Column('bigint', { name: 'subject_id', nullable: true, transformer: BIGINT })
  subjectId: number | null;
}
