import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Application } from './application.entity';
import { User } from '../users/user.entity';

/** The scopes that a user granted to an application. Its codes and tokens end with it. */
@Entity('grants')
export class Grant {
  @IdColumn('ALWAYS')
  id: number;

  @Column('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'application_id', foreignKeyConstraintName: 'grants_application' })
  application?: Relation<Application>;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'grants_user' })
  user?: Relation<User>;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** `password_changed` when a change of the user's password revoked it (D50). */
  @Column('text', { name: 'revoked_reason', nullable: true })
  revokedReason: string | null;
}
