import { type Role } from '../api/access/access';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person who reads, writes or goes to events. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: string;

  /** Name in addresses; may look like a number only when it is the own id. */
  @Column('text')
  uid: string;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  signature: string;

  /** Address of the picture, or a path below the API's own address. */
  @Column('text', { default: '' })
  avatar: string;

  /** Known only from what they wrote; an import of users fills it in. */
  @Column('boolean', { default: false })
  stub: boolean;

  /** `administrator`s may use the administration API. */
  @Column('text', { default: 'member' })
  role: Role;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
