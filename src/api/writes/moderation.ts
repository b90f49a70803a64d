import { ApiError } from '../errors/errors';

/** A parameter whose text others will read. */
export interface ModeratedText {
  readonly name: string;
  readonly text: string;
}

/** Why a text has to be looked at before others see it. */
export interface ModerationFlag {
  /** Words in it that ask for that. */
  readonly words: readonly string[];
  /** The texts that have them, for whoever looks. */
  readonly texts: readonly ModeratedText[];
}

/**
 * Input with text that others will read. When words in it ask for a moderator, `suspicion` says so,
 * and whoever writes the text holds it back; input of other classes is refused instead.
 */
export abstract class ModeratedInput {
  /** Set by the HTTP contract, never by the caller. */
  suspicion?: ModerationFlag;
}

/**
 * Looks for banned words. Implemented by the `moderation` module, which the HTTP contract must not
 * import.
 */
export abstract class Moderator {
  /**
   * @returns why the texts must be held back, or undefined when they need not be
   * @throws ApiError 1004 for a word that is refused; its detail names the parameter, not the word
   */
  abstract check(texts: readonly ModeratedText[]): Promise<ModerationFlag | undefined>;

  /** Whether a text can stand where nobody could hold it back, such as a name. */
  async accepts(name: string, text: string): Promise<boolean> {
    try {
      return (await this.check([{ name, text }])) === undefined;
    } catch (error) {
      if (error instanceof ApiError && error.error === 'hasBanWord') return false;
      throw error;
    }
  }
}

/** The refusal of texts with banned words; it does not name the words. */
export const banned = (texts: readonly ModeratedText[]): ApiError =>
  new ApiError('hasBanWord', {
    detail: `${texts.map(({ name }) => name).join(', ')}: a word in it is not accepted`,
  });
