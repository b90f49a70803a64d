import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Picture } from './picture.entity';

/** A record that shows an uploaded picture. */
@Entity('picture_uses')
export class PictureUse {
  @PrimaryColumn('text')
  subject: string;

  @PrimaryColumn('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @PrimaryColumn('integer')
  number: number;

  @Column('bytea')
  hash: Buffer;

  @ManyToOne(() => Picture)
  @JoinColumn({ name: 'hash', foreignKeyConstraintName: 'picture_uses_picture' })
  hashRecord?: Relation<Picture>;

  @Column('boolean')
  private: boolean;
}
