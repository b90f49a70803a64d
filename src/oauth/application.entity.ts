import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { type Level, type Scope } from '../api/access';

/** A partner's application; its `client_id` is also its apikey. */
@Entity('applications')
export class Application {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('text', { name: 'client_id' })
  clientId: string;

  @Column('text')
  name: string;

  /** Decides limits and lifetimes (D16, D18). */
  @Column('text', { default: 'L1' })
  level: Level;

  /** What it is approved for (D15). */
  @Column('text', { array: true })
  scopes: Scope[];

  /** Calls an hour instead of its level's; null for the level's, 0 for no limit (D16). */
  @Column('integer', { name: 'limit_per_hour', nullable: true })
  limitPerHour: number | null;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
