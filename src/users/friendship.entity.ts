import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { User } from './user.entity';

/** A friendship; the lower id is first. */
@Entity('friendships')
export class Friendship {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'friendships_user' })
  user?: Relation<User>;

  @PrimaryColumn('bigint', { name: 'friend_id', transformer: BIGINT })
  friendId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'friend_id', foreignKeyConstraintName: 'friendships_friend' })
  friend?: Relation<User>;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
