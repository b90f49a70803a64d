import { statement } from '../database/database';

/** Finds a reportable user by the id `$1`. */
export const REPORTABLE_USERS = {
  user: statement(
    'reports.find_user',
    'SELECT 1 FROM users t WHERE t.blocked_at IS NULL AND t.id = $1',
  ),
};
