import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Note } from './note.entity';
import { User } from '../users/user.entity';

/** A reply to a note. */
@Entity('note_replies')
export class NoteReply {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'note_id', transformer: BIGINT })
  noteId: number;

  @ManyToOne(() => Note, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'note_id', foreignKeyConstraintName: 'note_replies_note' })
  note?: Relation<Note>;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'note_replies_user' })
  user?: Relation<User>;

  @Column('text')
  content: string;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('boolean', { default: false })
  hidden: boolean;
}
