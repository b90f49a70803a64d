import { Column } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** Columns of rows that ask moderators for a decision about content. */
export abstract class ModeratedTarget {
  @Column('text')
  kind: string;

  /** Id of the content among that of its kind. */
  @Column('bigint', { name: 'target_id', transformer: BIGINT })
  targetId: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  /** Null while it is open. */
  @Column('text', { nullable: true })
  decision: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy: string | null;
}
