import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statement, type Runner } from '../database/database';
import { setPrivate } from '../images/pictures.repository';
import { HeldService } from '../moderation/held.service';
import { type Privacy } from './notes.rows';
import { countReplies } from './replies.repository';

const SHOW_NOTE = statement(
  'held.show_note',
  'UPDATE notes SET held = false WHERE id = $1 AND held RETURNING privacy',
);

const LOCK_NOTE = statement(
  'held.lock_note_of_reply',
  `SELECT n.id::float8 AS id FROM notes n
   WHERE n.id = (SELECT note_id FROM note_replies WHERE id = $1) FOR NO KEY UPDATE`,
);

const SHOW_REPLY = statement(
  'held.show_note_reply',
  'UPDATE note_replies SET held = false WHERE id = $1 AND held RETURNING 1',
);

async function showNote(runner: Runner, id: number): Promise<void> {
  const [shown] = await runner.run<{ privacy: Privacy }>(SHOW_NOTE, [id]);
  if (shown) await setPrivate(runner, 'note', id, shown.privacy !== 'public');
}

async function showReply(runner: Runner, id: number): Promise<void> {
  // The note first: whoever replies to it or removes a reply does so, too.
  const [note] = await runner.run<{ id: number }>(LOCK_NOTE, [id]);
  if (!note) return;
  const shown = await runner.run(SHOW_REPLY, [id]);
  if (shown.length > 0) await countReplies(runner, note.id, 1);
}

const HIDE_NOTE = statement(
  'held.hide_note',
  `UPDATE notes SET held = true WHERE id = $1 AND NOT held
   RETURNING user_id::float8 AS "userId", title || E'\\n' || content AS text`,
);

const HIDE_REPLY = statement(
  'held.hide_note_reply',
  `UPDATE note_replies SET held = true WHERE id = $1 AND NOT held
   RETURNING user_id::float8 AS "userId", content AS text`,
);

interface Hidden {
  readonly userId: number;
  readonly text: string;
}

async function hideNote(runner: Runner, id: number): Promise<Hidden | undefined> {
  const [hidden] = await runner.run<Hidden>(HIDE_NOTE, [id]);
  if (hidden) await setPrivate(runner, 'note', id, true);
  return hidden;
}

async function hideReply(runner: Runner, id: number): Promise<Hidden | undefined> {
  const [note] = await runner.run<{ id: number }>(LOCK_NOTE, [id]);
  if (!note) return undefined;
  const [hidden] = await runner.run<Hidden>(HIDE_REPLY, [id]);
  if (hidden) await countReplies(runner, note.id, -1);
  return hidden;
}

/** Shows what was held back of notes and replies, with what it changes elsewhere. */
@Injectable()
export class HeldNotes implements OnModuleInit {
  constructor(private readonly held: HeldService) {}

  onModuleInit(): void {
    this.held.register('note', showNote, hideNote);
    this.held.register('note_reply', showReply, hideReply);
  }
}
