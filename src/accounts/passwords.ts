import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { normalized } from '../api/input/normalize';
import { DerivationQueue, type DerivationClient } from './derivation-queue';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// The strength that OWASP recommends, with only 32 MiB to limit the memory of concurrent sign-ins.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

const stored = (salt: Buffer, key: Buffer): string => {
  const { N, r, p } = COST;
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`;
};

/** The hash for users that are not found, so that their check takes the same time. */
const NOBODY = stored(randomBytes(16), randomBytes(BYTES));

/** Minimum and maximum length of a password in characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const;

/** The client of derivations for an administrator on the command line. */
export const OPERATOR: DerivationClient = { address: '', trusted: true };

/** Hashes and verifies passwords with scrypt, with a limit on concurrent derivations. */
@Injectable()
export class PasswordHasher {
  private readonly queue = new DerivationQueue();

  /**
   * Hashes a password. The result contains the cost, a salt and the derived key.
   *
   * @throws ApiError 999 with 503 when the derivation queue is full
   */
  hash(password: string, client: DerivationClient): Promise<string> {
    return this.queue.run(client, async () => {
      const salt = randomBytes(16);
      return stored(salt, await derive(normalized(password, 'NFKC'), salt, BYTES, COST));
    });
  }

  /**
   * Whether a password matches a hash. Takes the same time when the hash is undefined.
   *
   * @throws ApiError 999 with 503 when the derivation queue is full
   */
  verify(password: string, hash: string | undefined, client: DerivationClient): Promise<boolean> {
    return this.queue.run(client, async () => {
      const [, N, r, p, salt = '', key = ''] = (hash ?? NOBODY).split('$');
      const expected = Buffer.from(key, 'base64');
      const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
      const actual = await derive(
        normalized(password, 'NFKC'),
        Buffer.from(salt, 'base64'),
        expected.length,
        cost,
      );
      return timingSafeEqual(actual, expected) && hash !== undefined;
    });
  }
}
