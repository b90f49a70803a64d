import { Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../../database/bigint-column';
import { User } from '../../users/user.entity';

/** A user of an imported file whose id belongs to another user, who has registered here. */
@Entity('conflicting_users')
export class ConflictingUser {
  @PrimaryColumn('bigint', {
    name: 'user_id',
    transformer: BIGINT,
    primaryKeyConstraintName: 'conflicting_users_pkey',
  })
  userId: number;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'conflicting_users_user' })
  user?: Relation<User>;
}
