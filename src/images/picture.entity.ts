import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  @Column('integer')
  bytes: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_referenced_at', default: () => 'now()' })
  lastReferencedAt: Date;
}
