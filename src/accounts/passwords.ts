import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { normalized } from '../api/input/normalize';
import { DerivationQueue, type DerivationClient } from './derivation-queue';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// As strong as OWASP asks for, in 32 MiB: many sign-ins at once must not take all memory.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

const stored = (salt: Buffer, key: Buffer): string => {
  const { N, r, p } = COST;
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`;
};

/** Of no password: an unknown user takes as long as a known one. */
const NOBODY = stored(randomBytes(16), randomBytes(BYTES));

/** Shortest and longest password, in characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const;

/** Of an administrator at the command line. */
export const OPERATOR: DerivationClient = { address: '', trusted: true };

/** Derives keys from passwords, a bounded number at once. */
@Injectable()
export class PasswordHasher {
  private readonly queue = new DerivationQueue();

  /**
   * What is stored of a password: the cost, a salt, and the derived key.
   *
   * @throws ApiError 999 with 503 when too many derivations wait
   */
  hash(password: string, client: DerivationClient): Promise<string> {
    return this.queue.run(client, async () => {
      const salt = randomBytes(16);
      return stored(salt, await derive(normalized(password, 'NFKC'), salt, BYTES, COST));
    });
  }

  /**
   * Whether a password is the one that was hashed; takes as long when there is none.
   *
   * @throws ApiError 999 with 503 when too many derivations wait
   */
  verify(password: string, hash: string | undefined, client: DerivationClient): Promise<boolean> {
    return this.queue.run(client, async () => {
      const [, N, r, p, salt = '', key = ''] = (hash ?? NOBODY).split('$');
      const wanted = Buffer.from(key, 'base64');
      const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
      const given = await derive(
        normalized(password, 'NFKC'),
        Buffer.from(salt, 'base64'),
        wanted.length,
        cost,
      );
      return timingSafeEqual(given, wanted) && hash !== undefined;
    });
  }
}
