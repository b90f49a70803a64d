import { Column, Entity } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';

/** An entry of the audit log, which is append-only. */
@Entity('audit_log')
export class AuditEntry {
  @IdColumn('ALWAYS')
  id: number;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('bigint', { name: 'actor_id', nullable: true, transformer: BIGINT })
  actorId: number | null;

  @Column('text')
  actor: string;

  @Column('text')
  action: string;

  @Column('text', { name: 'target_kind' })
  targetKind: string;

  @Column('text', { name: 'target_id' })
  targetId: string;

  @Column('jsonb', { nullable: true })
  before: unknown;

  @Column('jsonb', { nullable: true })
  after: unknown;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;
}
