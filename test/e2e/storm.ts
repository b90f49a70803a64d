import { randomNumbers } from '../../src/import-export/synthetic/synthetic';
import { Factories } from '../factories/factories';
import { type TestResponse, type Harness } from '../harness';
import { writer, type Writer } from './books/writes';

/** Settings for many writers of one row, who may wait long for it on a busy machine. */
export const STORM_SETTINGS = {
  TOKEN_CACHE_SECONDS: '300',
  DATABASE_STATEMENT_TIMEOUT_MS: '0',
  DATABASE_LOCK_TIMEOUT_MS: '60000',
};

/** A random integer from 0 to `limit` - 1. */
export type Below = (limit: number) => number;

/** New users with tokens. */
export async function newWriters(harness: Harness, count: number): Promise<Writer[]> {
  const make = new Factories(harness.database);
  const users: Writer[] = [];
  for (let at = 0; at < count; at += 1) {
    users.push(await writer(harness, (await make.aUser()).id));
  }
  return users;
}

/**
 * Lets each user send `calls` random requests, one after the other; users are concurrent.
 * @returns the statuses of the responses, each once, in ascending order
 */
export async function storm(
  users: readonly Writer[],
  calls: number,
  send: (user: Writer, below: Below) => Promise<TestResponse>,
): Promise<number[]> {
  const statuses = new Set<number>();
  const run = async (user: Writer, seed: number): Promise<void> => {
    const random = randomNumbers(seed);
    const below: Below = (limit) => Math.floor(random() * limit);
    for (let call = 0; call < calls; call += 1) statuses.add((await send(user, below)).status);
  };
  await Promise.all(users.map(run));
  return [...statuses].sort();
}
