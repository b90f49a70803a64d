import { Column, Entity, Unique } from 'typeorm';
import { IdColumn } from '../database/bigint-column';

/** A banned word. */
@Entity('banned_words')
@Unique('banned_words_unique', ['folded'])
export class BannedWord {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  word: string;

  @Column('text')
  folded: string;

  @Column('text')
  action: string;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('text', { name: 'created_by' })
  createdBy: string;
}
