import { type Runner } from '../../database/database';
import { reserveIds } from '../sequences';
import { UNKNOWN_CELEBRITIES, UNKNOWN_SUBJECTS } from './credit.statements';

/** Makes sure that subjects are there to be named; those that are known stay as they are. */
export async function writeUnknownSubjects(runner: Runner, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(runner, 'subjects', ids);
  await runner.run(UNKNOWN_SUBJECTS, [ids]);
}

/** The same for celebrities. */
export async function writeUnknownCelebrities(
  runner: Runner,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(runner, 'celebrities', ids);
  await runner.run(UNKNOWN_CELEBRITIES, [ids]);
}
