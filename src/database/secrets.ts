import { randomBytes, timingSafeEqual } from 'node:crypto';
import { statement, type Database } from './database';

/** Length of a secret in bytes. */
const BYTES = 32;

const READ = statement('secrets.read', 'SELECT value FROM secrets WHERE name = $1');
const KEEP = statement(
  'secrets.keep',
  'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);

/** A secret that all processes share, in hexadecimal; created on first use. */
export async function sharedSecret(database: Database, name: string): Promise<string> {
  const read = () => database.query<{ value: string }>(READ, [name]);
  const [found] = await read();
  if (found) return found.value;
  await database.query(KEEP, [name, randomBytes(BYTES).toString('hex')]);
  const [stored] = await read();
  if (!stored) throw new Error(`the secret ${name} was not stored`);
  return stored.value;
}

/** Whether a received signature is the expected one. The time does not depend on where they differ. */
export function signaturesMatch(received: string, expected: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
