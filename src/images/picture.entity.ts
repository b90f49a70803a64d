import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** An uploaded picture. */
@Entity('pictures')
export class Picture {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('text')
  extension: string;

  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  /** Size of the large file. */
  @Column('integer')
  bytes: number;

  /** Size of the small file; null where it is not known. */
  @Column('integer', { name: 'small_bytes', nullable: true })
  smallBytes: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_referenced_at', default: () => 'now()' })
  lastReferencedAt: Date;

  /** The user in whose storage the picture counts while no subject shows it (D123). */
  @Column('bigint', { name: 'unused_owner_id', nullable: true, transformer: BIGINT })
  unusedOwnerId: number | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'unused_owner_id', foreignKeyConstraintName: 'pictures_unused_owner' })
  unusedOwner?: Relation<User>;
}
