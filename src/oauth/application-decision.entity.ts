import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Application } from './application.entity';

/** A request or decision about a scope, a level or the application itself. The latest one applies. */
@Entity('application_decisions')
export class ApplicationDecision {
  @IdColumn('ALWAYS')
  id: number;

  @Column('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'application_id',
    foreignKeyConstraintName: 'application_decisions_application',
  })
  application?: Relation<Application>;

  /** A scope, a level, or `application`. */
  @Column('text')
  subject: string;

  @Column('text')
  state: string;

  @Column('text')
  actor: string;

  @Column('text', { default: '' })
  reason: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('boolean', { default: false })
  superseded: boolean;
}
