import { reportable } from '../moderation/reported-kinds';

/** Finds reportable events. */
export const REPORTABLE_EVENTS = reportable({
  event: 'events t WHERE NOT t.private AND t.deleted_at IS NULL',
});
