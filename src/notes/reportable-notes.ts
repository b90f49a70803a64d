import { reportable } from '../moderation/reported-kinds';

const isPublic = (note: string): string => `${note}.privacy = 'public' AND NOT ${note}.hidden`;

/** Finds reportable notes and replies. */
export const REPORTABLE_NOTES = reportable({
  note: `notes t WHERE ${isPublic('t')}`,
  note_reply: `note_replies t JOIN notes n ON n.id = t.note_id 
    WHERE ${isPublic('n')} AND NOT t.hidden`,
});
