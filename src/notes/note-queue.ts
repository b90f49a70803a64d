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
const REPLIES = hiding('note_reply', { table: 'note_replies', text: 'content' });

const LOCK_NOTE = statement(
  'moderation_queue.lock_note_of_reply',
  `SELECT n.id::float8 AS id FROM notes n
   WHERE n.id = (SELECT note_id FROM note_replies WHERE id = $1) FOR NO KEY UPDATE`,
);

/** The note of a reply, locked first, in the same order as other changes of replies. */
async function lockNoteOf(executor: SqlExecutor, reply: number): Promise<number | undefined> {
  return (await executor.query<{ id: number }>(LOCK_NOTE, [reply]))[0]?.id;
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
  const note = await lockNoteOf(executor, id);
  if (note === undefined) return undefined;
  const hidden = await REPLIES.hide(executor, id);
  if (hidden) await countReplies(executor, note, -1);
  return hidden;
}

async function showReply(executor: SqlExecutor, id: number): Promise<void> {
  const note = await lockNoteOf(executor, id);
  if (note === undefined) return;
  if (await REPLIES.show(executor, id)) await countReplies(executor, note, 1);
}

/** Makes hidden notes and replies visible and updates the counters that depend on them. */
@Injectable()
export class NoteQueue implements OnModuleInit {
  constructor(private readonly queue: ModerationQueueService) {}

  onModuleInit(): void {
    this.queue.register('note', showNote, hideNote);
    this.queue.register('note_reply', showReply, hideReply);
  }
}
