import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// As strong as OWASP asks for, in 32 MiB: many sign-ins at once must not take all memory.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

/** Shortest and longest password, in characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const;

/** What is stored of a password: the cost, a salt, and the derived key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize('NFKC'), salt, BYTES, COST);
  const { N, r, p } = COST;
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

/** Of nobody's password: who is unknown takes as long as who is known. */
const NOBODY = hashPassword(randomBytes(16).toString('hex'));

/** Whether a password is the one that was hashed; takes as long when there is none. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (stored ?? (await NOBODY)).split('$');
  const wanted = Buffer.from(key, 'base64');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const given = await derive(
    password.normalize('NFKC'),
    Buffer.from(salt, 'base64'),
    wanted.length,
    cost,
  );
  return timingSafeEqual(given, wanted) && stored !== undefined;
}
