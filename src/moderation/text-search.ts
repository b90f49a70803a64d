import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { FairTurns } from '../api/body/fair-turns';
import { requirePresence, WaitingTime } from '../api/body/turn';
import { currentRequest } from '../api/http/current-request';
import { type CheckOptions } from '../api/writes/moderation';
import { MAX_FOUND, type BannedWord, type Matcher } from './matcher';
import { normalizedSlices } from './text-slices';

/** Maximum length of a text that is searched at once. */
const MAX_SHORT = 1000;

/** Maximum number of texts whose words are cached. */
const MAX_CACHED = 1000;

/**
 * What a character costs at most in turns, in searched characters: normalized, and with what slices
 * share.
 */
const MAX_COST = 12;

/**
 * Searches texts for banned words without blocking other requests. A text of 50,000 characters can
 * take 0.9 seconds if its characters have several readings. Long texts are searched in slices,
 * between which other requests are served, and the addresses take turns.
 */
export class TextSearch {
  private readonly turns = new FairTurns(1, 1);
  private matcher: Matcher | undefined;
  /** Results by digests of texts. A request checks the same text again when it writes it. */
  private readonly results = new LRUCache<string, readonly BannedWord[]>({ max: MAX_CACHED });

  /**
   * The words of a matcher in a text, like {@link Matcher.find}. Letters of a word that are more than
   * 1,000 characters apart are not found.
   * @throws ApiError 999 with 503 when the client leaves, or the text waits too long for its turn
   */
  async find(
    matcher: Matcher,
    text: string,
    { inTransaction = false }: CheckOptions = {},
  ): Promise<readonly BannedWord[]> {
    if (text.length <= MAX_SHORT || matcher.isEmpty) return matcher.find(text);
    if (this.matcher !== matcher) this.results.clear();
    this.matcher = matcher;
    // A text may be a slice of a large body, which it would keep in memory.
    const digest = hash('sha256', text, 'base64url');
    const cached = this.results.get(digest);
    if (cached) return cached;
    const words = inTransaction
      ? await findInSlices(matcher, text)
      : await this.findInTurn(matcher, text);
    if (this.matcher === matcher) this.results.set(digest, words);
    return words;
  }

  private async findInTurn(matcher: Matcher, text: string): Promise<BannedWord[]> {
    const address = currentRequest()?.addressKey ?? '';
    const work = { address, cost: MAX_COST * text.length };
    const turn = await this.turns.acquire(work, WaitingTime.ofCurrentRequest());
    try {
      return await findInSlices(matcher, text, async (slice) => {
        await turn.next(slice.length);
        requirePresence();
      });
    } finally {
      turn.end();
    }
  }
}

/** @param before is called before each slice */
async function findInSlices(
  matcher: Matcher,
  text: string,
  before?: (slice: string) => Promise<void>,
): Promise<BannedWord[]> {
  const found = new Set<BannedWord>();
  for (const slice of normalizedSlices(text)) {
    await setImmediate();
    await before?.(slice);
    const words = matcher.findIn(slice);
    if (words[0]?.action === 'refuse') return [words[0]];
    for (const word of words) found.add(word);
  }
  return [...found].slice(0, MAX_FOUND);
}
