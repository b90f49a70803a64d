import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { User } from './user.entity';

/** A uid that was assigned at registration and is never assigned again. */
@Entity('registered_uids')
export class RegisteredUid {
  @PrimaryColumn('text')
  folded: string;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'registered_uids_user' })
  user?: Relation<User>;
}
