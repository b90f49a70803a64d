import { type Role } from '../api/access/access';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A user. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: string;

  /** Name in URLs; it may be a number only if that is the user's id. */
  @Column('text')
  uid: string;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  signature: string;

  /** URL of the picture, or a path below the base URL. */
  @Column('text', { default: '' })
  avatar: string;

  /** A placeholder, known only from content; an import of users completes it. */
  @Column('boolean', { default: false })
  placeholder: boolean;

  /** An `administrator` may use the administration API. */
  @Column('text', { default: 'member' })
  role: Role;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
