import { type Runner } from '../../database/database';
import { reserveIds } from '../engine/sequences';
import { UNKNOWN_CELEBRITIES, UNKNOWN_SUBJECTS } from './credit.statements';

/** Makes sure that subjects are there to be named; those that are known stay as they are. */
export async function ensurePlaceholders(runner: Runner, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(runner, 'subjects', ids);
  await runner.query(UNKNOWN_SUBJECTS, [ids]);
}

/** The same for celebrities. */
export async function ensurePlaceholderCelebrities(
  runner: Runner,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(runner, 'celebrities', ids);
  await runner.query(UNKNOWN_CELEBRITIES, [ids]);
}
