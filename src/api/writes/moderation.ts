import { ApiError } from '../errors/error-codes';

/** A parameter with public text. */
export interface ModeratedText {
  readonly name: string;
  readonly text: string;
}

/** Why a text needs review before publication. */
export interface ModerationFlag {
  /** The words that require review. */
  readonly words: readonly string[];
  /** The texts with these words, for the moderator. */
  readonly texts: readonly ModeratedText[];
}

/**
 * Input with public text that can be held for review. When words in it require review,
 * `moderationFlag` is set and the service that writes the text must hold it. Input of other classes
 * is rejected.
 */
export abstract class ModeratedInput {
  /** Set by the HTTP contract, never by the caller. */
  moderationFlag?: ModerationFlag;
}

/** How texts are checked. */
export interface CheckOptions {
  /**
   * A check in a transaction, which holds a connection and locks, does not wait for other checks. It
   * finds the results of an earlier check of the same long texts.
   */
  readonly inTransaction?: boolean;
}

/** A check in a transaction of a long text that was not checked before: 999 with 503. */
export class UncheckedText extends ApiError {
  constructor() {
    super('unknown', {
      status: 503,
      headers: { 'Retry-After': '1' },
      detail: 'the text has changed meanwhile; retry the request',
    });
  }
}

/**
 * Checks text for banned words. Implemented by the `moderation` module, which the HTTP contract
 * must not import.
 */
export abstract class Moderator {
  /**
   * @returns why the texts need review, or undefined when they need none
   * @throws ApiError 1004 for a rejected word; the detail contains the parameter, not the word; 999
   *   with 503 when the client leaves before its texts are checked
   */
  abstract check(
    texts: readonly ModeratedText[],
    options?: CheckOptions,
  ): Promise<ModerationFlag | undefined>;

  /** Whether a text is valid where it cannot be held for review, such as a name. */
  async accepts(name: string, text: string): Promise<boolean> {
    try {
      return (await this.check([{ name, text }])) === undefined;
    } catch (error) {
      if (error instanceof ApiError && error.error === 'hasBanWord') return false;
      throw error;
    }
  }
}

/** The error for texts with banned words. It does not contain the words. */
export const banned = (texts: readonly ModeratedText[]): ApiError =>
  new ApiError('hasBanWord', {
    detail: `${texts.map(({ name }) => name).join(', ')} contains a banned word`,
  });
