import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A picture whose row was deleted, and whose files are to be deleted. */
@Entity('deleted_pictures')
export class DeletedPicture {
  /** As in `pictures`. */
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('timestamptz', { name: 'deleted_at', default: () => 'now()' })
  deletedAt: Date;
}
