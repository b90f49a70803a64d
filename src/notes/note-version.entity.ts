import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Note } from './note.entity';

/** A previous version of a note. */
@Entity('note_versions')
export class NoteVersion {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'note_id', transformer: BIGINT })
  noteId: number;

  @ManyToOne(() => Note, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'note_id', foreignKeyConstraintName: 'note_versions_note' })
  note?: Relation<Note>;

  @Column('text')
  title: string;

  @Column('text')
  content: string;

  @Column('timestamptz', { name: 'replaced_at', default: () => "date_trunc('second', now())" })
  replacedAt: Date;
}
