import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A picture whose files are being deleted, and which cannot be stored meanwhile. */
@Entity('picture_removals')
export class PictureRemoval {
  /** As in `pictures`. */
  @PrimaryColumn('bytea')
  hash: Buffer;

  /** When the picture can be stored even if the deletion did not report its end. */
  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;
}
