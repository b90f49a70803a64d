import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** An application that uses the API. */
@Entity('applications')
@Unique('applications_client_id', ['clientId'])
@Unique('applications_one_test_key', ['testOfId'])
export class Application {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text', { name: 'client_id' })
  clientId: string;

  @Column('text')
  name: string;

  @Column('text', { default: 'L1' })
  level: string;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('bigint', { name: 'owner_id', nullable: true, transformer: BIGINT })
  ownerId: number | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'applications_owner' })
  owner?: Relation<User>;

  @Column('text', { name: 'redirect_uris', array: true, default: () => "'{}'" })
  redirectUris: string[];

  @Column('boolean', { default: false })
  public: boolean;

  @Column('text', { name: 'blocked_reason', default: '' })
  blockedReason: string;

  @Column('text', { name: 'blocked_contact', default: '' })
  blockedContact: string;

  /** Requests per hour, 0 for no limit; null for the limit of its level. */
  @Column('integer', { name: 'limit_per_hour', nullable: true })
  limitPerHour: number | null;

  /** An address with https; empty for none. */
  @Column('text', { default: '' })
  homepage: string;

  @Column('text', { default: '' })
  description: string;

  /** The application that this one is the test key of (D171). */
  @Column('bigint', { name: 'test_of', nullable: true, transformer: BIGINT })
  testOfId: number | null;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'test_of', foreignKeyConstraintName: 'applications_test_of' })
  testOf?: Relation<Application>;
}
