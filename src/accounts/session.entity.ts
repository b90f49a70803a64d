import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** A session of a browser, of which only the SHA-256 is stored. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user' })
  user?: Relation<User>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Last entry of the password in this session. */
  @Column('timestamptz', { name: 'confirmed_at', default: () => 'now()' })
  confirmedAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
