import { ApiError } from '../errors/errors';
import { type Caller } from '../access/access';

/** Names of the parameters that a solution comes back in, with any write. */
export const CAPTCHA_ID = 'captcha_id';
export const CAPTCHA_SOLUTION = 'captcha_solution';

/** A challenge and what its solver found. */
export interface CaptchaSolution {
  readonly id: string;
  readonly solution: string;
}

/**
 * Lets writes in, or asks for a challenge first. Implemented by the `moderation` module, which the
 * HTTP contract must not import.
 */
export abstract class WriteGate {
  /** @throws ApiError 1007 when a challenge has to be solved, or was not */
  abstract admit(caller: Caller, given: CaptchaSolution | undefined): Promise<void>;
}

/** Asks for a challenge to be solved. @param why what was wrong with the one that was */
export const captchaNeeded = (why = 'you write very often'): ApiError =>
  new ApiError('needCaptcha', {
    detail: `${why}: solve a challenge from /v2/captcha, send ${CAPTCHA_ID} and ${CAPTCHA_SOLUTION}`,
  });
