import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ExclusiveTask } from '../../admin/exclusive-task';
import { OperationError } from '../../api/errors/error-codes';
import { Matcher } from '../../moderation/matcher';
import { WordsRepository } from '../../moderation/words.repository';
import { RecentTextsRepository, type RecentText } from './recent-texts.repository';

/** Maximum duration of a search in milliseconds, because a browser waits for it. */
const MAX_MS = 5000;
/** Texts with a word that a search returns. */
const MAX_SHOWN = 20;

/** The recent texts with a word. */
export interface WordMatches {
  readonly word: string;
  readonly count: number;
  /** How many of them the list of banned words already matches. */
  readonly alreadyMatched: number;
  /** The newest of them; those that the list does not match yet come first. */
  readonly shown: readonly RecentText[];
}

/** The result of a search. */
export interface TextSearch {
  readonly matches: readonly WordMatches[];
  /** False if the search ended before the last text. */
  readonly isComplete: boolean;
}

/** Texts with a word, while they are counted. */
interface Found {
  readonly known: RecentText[];
  readonly unknown: RecentText[];
  count: number;
  alreadyMatched: number;
}

/** Searches recent texts for words as moderation does. */
@Injectable()
export class RecentTextSearch {
  private readonly task = new ExclusiveTask(() => new OperationError('another search runs'));

  constructor(
    private readonly recent: RecentTextsRepository,
    private readonly words: WordsRepository,
  ) {}

  /**
   * @param signal ends the search, which is not complete then
   * @throws OperationError while another search runs
   */
  search(words: readonly string[], signal: AbortSignal): Promise<TextSearch> {
    return this.task.run(() => this.searchTexts(words, signal));
  }

  /** Whether a search runs. */
  get isBusy(): boolean {
    return this.task.isRunning;
  }

  private async searchTexts(words: readonly string[], signal: AbortSignal): Promise<TextSearch> {
    const deadline = performance.now() + MAX_MS;
    const [texts, stored] = await Promise.all([this.recent.listRecent(), this.words.all()]);
    const list = new Matcher(stored);
    const matcher = new Matcher(words.map((word) => ({ word, action: 'hold' })));
    const found = new Map(
      words.map((word): [string, Found] => [
        word,
        { known: [], unknown: [], count: 0, alreadyMatched: 0 },
      ]),
    );
    let isComplete = true;
    for (const text of texts) {
      // Requests come first.
      await setImmediate();
      if (signal.aborted || performance.now() > deadline) {
        isComplete = false;
        break;
      }
      const hits = matcher.find(text.text, words.length);
      if (hits.length === 0) continue;
      const isKnown = list.find(text.text, 1).length > 0;
      for (const { word } of hits) count(found.get(word), text, isKnown);
    }
    const matches = [...found].map(([word, { known, unknown, ...counts }]) => ({
      ...{ word, ...counts },
      shown: [...unknown, ...known].slice(0, MAX_SHOWN),
    }));
    return { matches, isComplete };
  }
}

function count(found: Found | undefined, text: RecentText, isKnown: boolean): void {
  if (!found) return;
  found.count += 1;
  if (isKnown) found.alreadyMatched += 1;
  const shown = isKnown ? found.known : found.unknown;
  if (shown.length < MAX_SHOWN) shown.push(text);
}
