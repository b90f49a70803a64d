import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from './application.entity';
import { Grant } from './grant.entity';
import { User } from '../users/user.entity';

/** An access token, of which only the SHA-256 is stored (D18). */
@Entity('access_tokens')
export class AccessToken {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'application_id', foreignKeyConstraintName: 'access_tokens_application' })
  application?: Relation<Application>;

  /** Null for a token of the application itself. */
  @Column('bigint', { name: 'user_id', nullable: true, transformer: BIGINT })
  userId: number | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'access_tokens_user' })
  user?: Relation<User>;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** The user's grant; null for a token issued by an administrator. */
  @Column('bigint', { name: 'grant_id', nullable: true, transformer: BIGINT })
  grantId: number | null;

  @ManyToOne(() => Grant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'grant_id', foreignKeyConstraintName: 'access_tokens_grant' })
  grant?: Relation<Grant>;

  /** `password_changed` when a change of the user's password revoked it (D50). */
  @Column('text', { name: 'revoked_reason', nullable: true })
  revokedReason: string | null;
}
