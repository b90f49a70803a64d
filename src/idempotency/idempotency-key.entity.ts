import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from '../oauth/application.entity';
import { User } from '../users/user.entity';

/** An `Idempotency-Key` of a request and its stored response. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'application_id', foreignKeyConstraintName: 'idempotency_keys_application' })
  application?: Relation<Application>;

  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'idempotency_keys_user' })
  user?: Relation<User>;

  @PrimaryColumn('text')
  key: string;

  /** SHA-256 of the request. */
  @Column('bytea')
  digest: Buffer;

  @Column('integer', { default: 1 })
  attempt: number;

  /** Whether the transaction of the request was committed. */
  @Column('boolean', { default: false })
  executed: boolean;

  @Column('json', { nullable: true })
  response: unknown;

  @Column('timestamptz', { name: 'started_at', default: () => 'now()' })
  startedAt: Date;
}
