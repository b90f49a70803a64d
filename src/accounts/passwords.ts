import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { normalized } from '../api/input/normalize';
import { DerivationQueue, type DerivationClient } from './derivation-queue';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Parameters of scrypt (RFC 7914 section 2). */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

// The strength that OWASP recommends, with only 32 MiB to limit the memory of concurrent sign-ins.
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const BYTES = 32;

const stored = ({ N, r, p }: PasswordCost, salt: Buffer, key: Buffer): string =>
  `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`;

/** Minimum and maximum length of a password in characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const;

/** The client of derivations for an administrator on the command line. */
export const OPERATOR: DerivationClient = { address: '', trusted: true };

/** Hashes and verifies passwords with scrypt, with a limit on concurrent derivations. */
@Injectable()
export class PasswordHasher {
  private readonly queue = new DerivationQueue();
  private cost = COST;
  /** The hash for users that are not found, so that their check takes the same time. */
  private dummyHash = stored(COST, randomBytes(16), randomBytes(BYTES));

  /** For tests: the cost of new hashes, and of checks of users that are not found. */
  setCost(cost: PasswordCost): void {
    this.cost = cost;
    this.dummyHash = stored(cost, randomBytes(16), randomBytes(BYTES));
  }

  /**
   * Hashes a password. The result contains the cost, a salt and the derived key.
   *
   * @throws ApiError 999 with 503 when the derivation queue is full, and after 20 seconds in it
   */
  hash(password: string, client: DerivationClient): Promise<string> {
    return this.queue.run(client, async () => {
      const salt = randomBytes(16);
      const { cost } = this;
      const options = { ...cost, maxmem: MAX_MEMORY };
      const key = await derive(normalized(password, 'NFKC'), salt, BYTES, options);
      return stored(cost, salt, key);
    });
  }

  /**
   * Whether a password matches a hash. Takes the same time when the hash is undefined.
   *
   * @throws ApiError 999 with 503 when the derivation queue is full, and after 20 seconds in it
   */
  verify(password: string, hash: string | undefined, client: DerivationClient): Promise<boolean> {
    return this.queue.run(client, async () => {
      const [, N, r, p, salt = '', key = ''] = (hash ?? this.dummyHash).split('$');
      const expected = Buffer.from(key, 'base64');
      const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
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
