import { ApiError } from '../errors/error-codes';
import { type Caller } from '../access/access';

/** Names of the parameters with a solution, on any write. */
export const CAPTCHA_ID = 'captcha_id';
export const CAPTCHA_SOLUTION = 'captcha_solution';

/** A challenge and its solution. */
export interface CaptchaSolution {
  readonly id: string;
  readonly solution: string;
}

/**
 * Admits writes, or requires a challenge first. Implemented by the `moderation` module, which the
 * HTTP contract must not import.
 */
export abstract class WriteGate {
  /** @throws ApiError 1007 when a challenge is required, or its solution is wrong */
  abstract admit(caller: Caller, solution: CaptchaSolution | undefined): Promise<void>;
}

/** The error that requires a challenge. @param why the reason, such as a wrong solution */
export const captchaNeeded = (why = 'too many writes'): ApiError =>
  new ApiError('needCaptcha', {
    detail: `${why}; solve a challenge of /v2/captcha and send ${CAPTCHA_ID} and ${CAPTCHA_SOLUTION}`,
  });
