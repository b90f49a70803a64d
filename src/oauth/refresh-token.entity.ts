import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Grant } from './grant.entity';

/** A refresh token, of which only the SHA-256 is stored (D18). */
@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'grant_id', transformer: BIGINT })
  grantId: number;

  @ManyToOne(() => Grant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'grant_id', foreignKeyConstraintName: 'refresh_tokens_grant' })
  grant?: Relation<Grant>;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
