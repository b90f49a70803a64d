import { Column, Entity, Unique } from 'typeorm';
import { type Role } from '../api/access/access';
import { IdColumn } from '../database/bigint-column';

/** A user. */
@Entity('users')
@Unique('users_uid', ['uid'])
export class User {
  @IdColumn('BY DEFAULT')
  id: number;

  /** Name in URLs. It may be a number only if that is the user's id. */
  @Column('text')
  uid: string;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  signature: string;

  /** URL of the picture, or a path below the base URL. */
  @Column('text', { default: '' })
  avatar: string;

  /** Known only from content; an import of users completes it. */
  @Column('boolean', { default: false })
  placeholder: boolean;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt: Date | null;

  /** Shown to the user; null or empty for none. */
  @Column('text', { name: 'blocked_reason', nullable: true })
  blockedReason: string | null;

  /** The last day of the block; null until an administrator ends it. */
  @Column('date', { name: 'blocked_until', nullable: true })
  blockedUntil: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  /** An `administrator` may use the administration API. */
  @Column('text', { default: 'member' })
  role: Role;
}
