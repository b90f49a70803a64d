import { Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** A user with many collections, whose counts by tag and by month are precomputed. */
@Entity('large_collectors')
export class LargeCollector {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'large_collectors_user' })
  user?: Relation<User>;
}
