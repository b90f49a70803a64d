import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Grant } from './grant.entity';

/** An authorization code, of which only the SHA-256 is stored (D18). */
@Entity('authorization_codes')
export class AuthorizationCode {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'grant_id', transformer: BIGINT })
  grantId: number;

  @ManyToOne(() => Grant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'grant_id', foreignKeyConstraintName: 'authorization_codes_grant' })
  grant?: Relation<Grant>;

  @Column('text', { name: 'redirect_uri', nullable: true })
  redirectUri: string | null;

  @Column('text', { name: 'code_challenge', nullable: true })
  codeChallenge: string | null;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt: Date | null;
}
