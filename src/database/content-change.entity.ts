import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { BIGINT } from './bigint-column';

/** A committed change of content, which triggers log; see `content-changes.ts`. */
@Entity('content_changes')
export class ContentChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: number;

  /** The transaction. */
  @Index('content_changes_xid')
  @Column('bigint', { default: () => 'pg_current_xact_id()::text::bigint', transformer: BIGINT })
  xid: number;

  /** Keys of the changed content, such as `book:7`. */
  @Column('text', { array: true })
  keys: string[];
}
