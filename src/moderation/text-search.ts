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
const MAX_UNSLICED = 1000;

/** Maximum number of texts whose words are cached. */
const MAX_CACHED = 1000;

/** Maximum cost of a character: 8 normalized ones, and a part of them again that slices share. */
const MAX_COST_PER_CHARACTER = 12;

/** How a text is searched. */
interface FindOptions extends CheckOptions {
  /** The time that the request may wait for its turns. */
  readonly waiting?: WaitingTime;
}

/**
 * Searches texts for banned words without blocking other requests. A text of 50,000 characters can
 * take 0.9 seconds if its characters have several readings. Long texts are searched in slices,
 * between which other requests are served, and the addresses take turns.
 */
export class TextSearch {
  private readonly turns = new FairTurns(1, 1);
  /** The words of the cached results. */
  private searched: Matcher | undefined;
  /** Results by digests of texts. A request checks the same text again when it writes it. */
  private readonly results = new LRUCache<string, readonly BannedWord[]>({ max: MAX_CACHED });

  /** @param currentMatcher returns the current words, which can change during a search */
  constructor(private readonly currentMatcher: () => Matcher) {}

  /**
   * The current words in a text, like {@link Matcher.find}. Letters of a word that are more than
   * 1,000 characters apart are not found.
   * @throws ApiError 999 with 503 when the client leaves, or the text waits too long for its turn
   */
  async find(text: string, options: FindOptions = {}): Promise<readonly BannedWord[]> {
    for (;;) {
      const matcher = this.currentMatcher();
      if (text.length <= MAX_UNSLICED || matcher.isEmpty) return matcher.find(text);
      const words = await this.findInLong(matcher, text, options);
      if (matcher === this.currentMatcher()) return words;
    }
  }

  private async findInLong(
    matcher: Matcher,
    text: string,
    { inTransaction = false, waiting = WaitingTime.ofCurrentRequest() }: FindOptions,
  ): Promise<readonly BannedWord[]> {
    if (this.searched !== matcher) this.results.clear();
    this.searched = matcher;
    // A text may be a slice of a large body, which it would keep in memory.
    const digest = hash('sha256', text, 'base64url');
    const cached = this.results.get(digest);
    if (cached) return cached;
    const words = inTransaction
      ? await findInSlices(matcher, text)
      : await this.findInTurn(matcher, text, waiting);
    if (this.searched === matcher) this.results.set(digest, words);
    return words;
  }

  private async findInTurn(
    matcher: Matcher,
    text: string,
    waiting: WaitingTime,
  ): Promise<BannedWord[]> {
    const address = currentRequest()?.addressKey ?? '';
    const work = { address, cost: MAX_COST_PER_CHARACTER * text.length };
    const turn = await this.turns.acquire(work, waiting);
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

/** @param beforeSlice is called before each slice */
async function findInSlices(
  matcher: Matcher,
  text: string,
  beforeSlice?: (slice: string) => Promise<void>,
): Promise<BannedWord[]> {
  const found = new Set<BannedWord>();
  for (const slice of normalizedSlices(text)) {
    await setImmediate();
    await beforeSlice?.(slice);
    const words = matcher.findIn(slice);
    if (words[0]?.action === 'refuse') return [words[0]];
    for (const word of words) found.add(word);
  }
  return [...found].slice(0, MAX_FOUND);
}
