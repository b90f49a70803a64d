import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Scope } from '../api/access/access';

/** An access token, of which only the SHA-256 is stored (D18). */
@Entity('access_tokens')
export class AccessToken {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'application_id' })
  applicationId: string;

  /** Null for a token of the application itself. */
  @Column('bigint', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** The user's grant; null for a token issued by an administrator. */
  @Column('bigint', { name: 'grant_id', nullable: true })
  grantId: string | null;

  /** `password_changed` when a change of the user's password revoked it (D50). */
  @Column('text', { name: 'revoked_reason', nullable: true })
  revokedReason: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
