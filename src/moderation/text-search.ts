import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { FairTurns, type FairTurn } from '../api/body/fair-turns';
import { requirePresence, WaitingTime } from '../api/body/turn';
import { unavailable } from '../api/errors/error-codes';
import { sortForClosing, type LargeConnection } from '../api/http/closing-order';
import { currentRequest } from '../api/http/current-request';
import { UncheckedText, type CheckOptions } from '../api/writes/moderation';
import { plain } from './characters';
import { MAX_FOUND, type BannedWord, type Matcher } from './matcher';
import { normalizedSlices } from './text-slices';

/** Maximum length of a text that is searched at once. */
const MAX_UNSLICED = 1000;

/** Maximum number of texts whose words are cached. */
const MAX_CACHED = 1000;

/**
 * Characters of all texts that wait. A request holds several forms of its text meanwhile, up to 7
 * bytes for each character.
 */
const MAX_WAITING = 6_000_000;

/** Characters that a text counts in addition, for its request. */
const REQUEST_CHARACTERS = 10_000;

/** Number of characters that are examined to estimate the length of a normalized text. */
const SAMPLES = 200;

/** What slices cost in addition to the length of a normalized text, because they overlap. */
const OVERLAP_FACTOR = 1.5;

/** How a text is searched. */
export interface FindOptions extends CheckOptions {
  /** The time that the request may wait for its turns. */
  readonly waiting?: WaitingTime;
}

/** A text that waits for its turn, or has it. */
interface WaitingText extends LargeConnection {
  readonly waiting: WaitingTime;
}

/** The expected cost of a search, in normalized characters. Senders cannot know which are examined. */
function expectedCost(text: string): number {
  let length = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1)
    length += plain(text.charAt(Math.floor(Math.random() * text.length))).length;
  return OVERLAP_FACTOR * text.length * Math.max(1, length / SAMPLES);
}

/**
 * Searches texts for banned words without blocking other requests. A text of 50,000 characters can
 * take 0.9 seconds if its characters have several readings. Long texts are searched in slices,
 * between which other requests are served, and the addresses take turns. Texts that wait take memory:
 * beyond a bound, those of the address or IPv6 network with the most are rejected.
 */
export class TextSearch {
  private readonly turns = new FairTurns(1, 1);
  /** The words of the cached results. */
  private searched: Matcher | undefined;
  /** Results by digests of texts. A request checks the same text again when it writes it. */
  private readonly results = new LRUCache<string, readonly BannedWord[]>({ max: MAX_CACHED });
  private readonly texts = new Set<WaitingText>();

  /**
   * @param currentMatcher returns the current words, which can change during a search
   * @param maxWaiting maximum characters of all texts that wait
   */
  constructor(
    private readonly currentMatcher: () => Matcher,
    private readonly maxWaiting = MAX_WAITING,
  ) {}

  /**
   * The current words in a text, like {@link Matcher.find}. Letters of a word that are more than
   * 1,000 characters apart are not found.
   * @throws ApiError 999 with 503 when the client leaves, the text waits too long for its turn, or too
   *   many texts wait; UncheckedText in a transaction
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
    if (inTransaction) throw new UncheckedText();
    const words = await this.findInTurn(matcher, text, waiting);
    if (this.searched === matcher) this.results.set(digest, words);
    return words;
  }

  private async findInTurn(
    matcher: Matcher,
    text: string,
    waiting: WaitingTime,
  ): Promise<BannedWord[]> {
    const clientKey = currentRequest()?.addressKey ?? '';
    const entry = { clientKey, bytes: text.length + REQUEST_CHARACTERS, waiting };
    this.texts.add(entry);
    try {
      this.rejectLargest();
      const work = { address: clientKey, cost: expectedCost(text) };
      const turn = await this.turns.acquire(work, waiting);
      try {
        return await findInSlices(matcher, text, turn);
      } finally {
        turn.end();
      }
    } finally {
      this.texts.delete(entry);
    }
  }

  /** Rejects texts until the others are within the limit. */
  private rejectLargest(): void {
    let total = 0;
    for (const { bytes } of this.texts) total += bytes;
    if (total <= this.maxWaiting) return;
    for (const rejected of sortForClosing([...this.texts])) {
      if (total <= this.maxWaiting) return;
      total -= rejected.bytes;
      this.texts.delete(rejected);
      rejected.waiting.end(unavailable(new Error('too many texts wait to be searched')));
    }
  }
}

async function findInSlices(matcher: Matcher, text: string, turn: FairTurn): Promise<BannedWord[]> {
  const found = new Set<BannedWord>();
  for (const slice of normalizedSlices(text)) {
    await setImmediate();
    await turn.next(slice.length);
    requirePresence();
    const words = matcher.findIn(slice);
    if (words[0]?.action === 'refuse') return [words[0]];
    for (const word of words) found.add(word);
  }
  return [...found].slice(0, MAX_FOUND);
}
