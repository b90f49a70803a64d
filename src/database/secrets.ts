import { randomBytes } from 'node:crypto';
import { statement, type Database } from './database';

/** Bytes that a secret is made of. */
const BYTES = 32;

const READ = statement('secrets.read', 'SELECT value FROM secrets WHERE name = $1');
const KEEP = statement(
  'secrets.keep',
  'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);

/** A secret of all processes, in hexadecimal; the first that needs it makes it. */
export async function sharedSecret(database: Database, name: string): Promise<string> {
  const read = () => database.query<{ value: string }>(READ, [name]);
  const [found] = await read();
  if (found) return found.value;
  await database.query(KEEP, [name, randomBytes(BYTES).toString('hex')]);
  const [kept] = await read();
  if (!kept) throw new Error(`the secret of ${name} was not kept`);
  return kept.value;
}
