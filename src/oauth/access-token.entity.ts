import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Scope } from '../api/access/access';

/** An access token, known only by its SHA-256 (D18). */
@Entity('access_tokens')
export class AccessToken {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'application_id' })
  applicationId: string;

  /** Absent for a token of the application itself. */
  @Column('bigint', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** What the user granted; absent for a token that an administrator issued. */
  @Column('bigint', { name: 'grant_id', nullable: true })
  grantId: string | null;

  /** `password_changed` when a change of the user's password revoked it (D50). */
  @Column('text', { name: 'revoked_reason', nullable: true })
  revokedReason: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
