import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Note } from './note.entity';
import { User } from '../users/user.entity';

/** A note that a user likes. */
@Entity('note_likes')
export class NoteLike {
  @PrimaryColumn('bigint', { name: 'note_id', transformer: BIGINT })
  noteId: number;

  @ManyToOne(() => Note, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'note_id', foreignKeyConstraintName: 'note_likes_note' })
  note?: Relation<Note>;

  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'note_likes_user' })
  user?: Relation<User>;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  /**
   * Who may see the note: 0 all, 1 friends of the author, 2 the author, 3 nobody (a placeholder).
   * Triggers write it and the author, and `Note.outdatedLikesVisibility` says when it differs.
   */
  @Column('smallint', { name: 'note_visibility' })
  noteVisibility: number;

  /** The author of the note. */
  @Column('bigint', { name: 'note_author_id', nullable: true, transformer: BIGINT })
  noteAuthorId: number | null;
}
