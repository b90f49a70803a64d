import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statement, type SqlExecutor } from '../database/database';
import { setPrivate } from '../images/pictures.repository';
import { ModerationQueueService } from '../moderation/moderation-queue.service';
import { hiding, type Hidden } from '../moderation/hiding';
import { type Privacy } from './notes.rows';
import { countReplies } from './replies.repository';

const NOTES = hiding<{ privacy: Privacy }>('note', {
  table: 'notes',
  text: `title || E'\\n' || content`,
  more: ['privacy'],
});
const REPLIES = hiding<{ noteId: number }>('note_reply', {
  table: 'note_replies',
  text: 'content',
  more: ['note_id::float8 AS "noteId"'],
});

const LOCK_NOTE = statement(
  'moderation_queue.lock_note_of_reply',
  `SELECT 1 FROM notes n
   WHERE n.id = (SELECT note_id FROM note_replies WHERE id = $1) FOR NO KEY UPDATE`,
);

/** Locks a reply after its note, in the same order as other changes of replies. */
async function lockReply(executor: SqlExecutor, id: number): Promise<boolean> {
  await executor.query(LOCK_NOTE, [id]);
  return REPLIES.lock(executor, id);
}

async function hideNote(executor: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const hidden = await NOTES.hide(executor, id);
  if (hidden) await setPrivate(executor, 'note', id, true);
  return hidden;
}

async function showNote(executor: SqlExecutor, id: number): Promise<void> {
  const shown = await NOTES.show(executor, id);
  if (shown) await setPrivate(executor, 'note', id, shown.privacy !== 'public');
}

async function hideReply(executor: SqlExecutor, id: number): Promise<Hidden | undefined> {
  const hidden = await REPLIES.hide(executor, id);
  if (hidden) await countReplies(executor, hidden.noteId, -1);
  return hidden;
}

async function showReply(executor: SqlExecutor, id: number): Promise<void> {
  const shown = await REPLIES.show(executor, id);
  if (shown) await countReplies(executor, shown.noteId, 1);
}

/** Makes hidden notes and replies visible and updates the counters that depend on them. */
@Injectable()
export class NoteQueue implements OnModuleInit {
  constructor(private readonly queue: ModerationQueueService) {}

  onModuleInit(): void {
    this.queue.register('note', { lock: NOTES.lock, show: showNote, hide: hideNote });
    this.queue.register('note_reply', { lock: lockReply, show: showReply, hide: hideReply });
  }
}
