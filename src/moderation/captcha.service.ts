import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import { type Caller } from '../api/access/access';
import { captchaNeeded, WriteGate, type CaptchaSolution } from '../api/writes/captcha';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import { sharedSecret } from '../database/secrets';
import { SharedCounters } from '../limits/shared-counters';

/** Name of the secret that signs challenges. */
const SECRET = 'captcha';
const ALGORITHM = 'SHA-256';
/** Lifetime of a challenge in seconds, and length of its signature. */
export const CAPTCHA_SECONDS = 600;
const SIGNATURE = 64;
/** Window in seconds in which writes are counted. */
const WINDOW = 60;

const SPEND = statement(
  'captcha.spend',
  `INSERT INTO used_captchas (hash, expires_at)
   VALUES (decode($1, 'hex'), to_timestamp($2::float8))
   ON CONFLICT (hash) DO NOTHING RETURNING 1`,
);

/** A challenge for clients: the parameters of ALTCHA widgets, and the id to send back. */
export interface CaptchaChallenge {
  readonly captcha_id: string;
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** The purpose of a challenge; those of the API have none. */
export interface ChallengePurpose {
  /** A solution is valid for this purpose only. */
  readonly purpose: string;
  /** Maximum number of values to try. */
  readonly difficulty: number;
}

/** Parameters of the salt with the purpose and difficulty of a challenge. */
const PURPOSE = 'purpose';
const DIFFICULTY = 'difficulty';

/** The id of a challenge for clients. */
const idOf = (made: string): string => Buffer.from(made).toString('base64url');

/** The number of a solution, given alone or in the payload of ALTCHA widgets. */
function numberIn(solution: string): number | undefined {
  if (/^\d{1,9}$/.test(solution)) return Number(solution);
  try {
    const payload = JSON.parse(Buffer.from(solution, 'base64').toString()) as { number?: unknown };
    const { number } = payload;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Challenges for callers who write too often (1007): ALTCHA proofs of work. Challenges are signed
 * and stateless; only spent ones are stored.
 */
@Injectable()
export class CaptchaService extends WriteGate implements OnModuleInit {
  private secret: string | undefined;
  private readonly after: number;
  private readonly difficulty: number;

  constructor(
    settings: Settings,
    private readonly database: Database,
    private readonly counters: SharedCounters,
  ) {
    super();
    this.after = settings.CAPTCHA_AFTER;
    this.difficulty = settings.CAPTCHA_DIFFICULTY;
  }

  async onModuleInit(): Promise<void> {
    // The OpenAPI document is generated without a database.
    if (!this.database.source.isInitialized) return;
    this.secret = await sharedSecret(this.database, SECRET);
  }

  private get key(): string {
    if (this.secret === undefined) throw new Error('a challenge was created before startup');
    return this.secret;
  }

  /**
   * @param seconds lifetime
   * @param what the purpose; a write to the API when omitted
   */
  async challenge(
    seconds: number = CAPTCHA_SECONDS,
    what?: ChallengePurpose,
  ): Promise<CaptchaChallenge> {
    const maxnumber = what?.difficulty ?? this.difficulty;
    const { algorithm, challenge, salt, signature } = await createChallenge({
      algorithm: ALGORITHM,
      hmacKey: this.key,
      maxnumber,
      expires: new Date(Date.now() + seconds * 1000),
      params: what && { [PURPOSE]: what.purpose, [DIFFICULTY]: String(maxnumber) },
    });
    return {
      captcha_id: idOf(salt + signature),
      algorithm,
      challenge,
      maxnumber,
      salt,
      signature,
      expires_in: seconds,
    };
  }

  override async admit(caller: Caller, solution: CaptchaSolution | undefined): Promise<void> {
    if (this.after === 0) return;
    // Counted across applications, so that using several gives a user no more writes (D52).
    const key = `captcha:${caller.user?.id ?? 0}`;
    const counter = { key, limit: this.after, window: WINDOW };
    if ((await this.counters.consume([counter])).granted) return;
    if (!solution) throw captchaNeeded();
    await this.spend(solution);
    await this.counters.clear([counter]);
    await this.counters.consume([counter]);
  }

  /**
   * Verifies and spends a solution.
   * @param what the required purpose and minimum difficulty
   * @throws ApiError 1007 for a solution that is wrong, expired, spent, or for another purpose
   */
  async spend({ id, solution }: CaptchaSolution, what?: ChallengePurpose): Promise<void> {
    const made = Buffer.from(id, 'base64url').toString();
    // Decoding ignores invalid base64 characters, so one challenge could have several ids.
    if (idOf(made) !== id) throw captchaNeeded('challenge not found');
    const [salt, signature] = [made.slice(0, -SIGNATURE), made.slice(-SIGNATURE)];
    const number = numberIn(solution);
    if (number === undefined || !(await this.isRight(salt, signature, number))) {
      throw captchaNeeded('the solution is wrong');
    }
    const params = extractParams({ salt });
    const isFor = params[PURPOSE] === what?.purpose;
    if (!isFor || Number(params[DIFFICULTY] ?? 0) < (what?.difficulty ?? 0)) {
      throw captchaNeeded('the challenge belongs to another request');
    }
    const expires = Number(params.expires);
    if (!(expires * 1000 > Date.now())) throw captchaNeeded('the challenge has expired');
    const spent = await this.database.query(SPEND, [signature, expires]);
    if (spent.length === 0) throw captchaNeeded('the challenge was already used');
  }

  /** Verifies the number and the signature, but not the expiry. */
  private isRight(salt: string, signature: string, number: number): Promise<boolean> {
    // Ids omit the hash to find, because the signature covers it.
    const challenge = createHash('sha256').update(`${salt}${number}`).digest('hex');
    const payload = { algorithm: ALGORITHM, challenge, number, salt, signature } as const;
    return verifySolution(payload, this.key, false);
  }
}
