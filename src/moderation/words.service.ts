import { Injectable } from '@nestjs/common';
import { OperationError } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { cleanText, lengthOf } from '../api/input/text-input';
import { keyOf, type Action } from './matcher';
import { WordsRepository, type FoldedWord, type WordRow } from './words.repository';

/** Characters that a word may have. */
const MAX_LENGTH = 100;

/** What became of a list of words. */
export interface WordsAdded {
  readonly added: number;
  /** Words that were there and do something else now. */
  readonly changed: number;
  /** Words that were there already. */
  readonly known: number;
}

/**
 * A word, and what it is searched for.
 *
 * @throws NotPossible for one that cannot be
 */
export function foldedWord(given: string): FoldedWord {
  const word = cleanText(given);
  const key = keyOf(word);
  if (key === '') throw new OperationError(`there is no letter in the word "${word}"`);
  if (/^[a-z0-9]$/.test(key)) throw new OperationError(`the word "${word}" is a single letter`);
  if (lengthOf(word) > MAX_LENGTH)
    throw new OperationError(`a word has at most ${MAX_LENGTH} characters`);
  return { word, folded: key };
}

/** Banned words, for administrators. Every process follows a change at once (1004). */
@Injectable()
export class WordsService {
  constructor(private readonly words: WordsRepository) {}

  /** Words in the order that they were added in, all or those of one action. */
  list(page: PageQuery, action?: Action): Promise<Page<WordRow>> {
    return this.words.list(page, action);
  }

  /** All words of a list, by id. */
  scan(action: Action | undefined): AsyncGenerator<WordRow> {
    return this.words.scan(action);
  }

  /**
   * Adds words; one that is there, in whatever spelling, does what is said now.
   *
   * @throws NotPossible for the first word that cannot be searched for; then nothing is added
   */
  async add(words: readonly string[], action: Action, by: string): Promise<WordsAdded> {
    const all = words.map(foldedWord);
    // Of several spellings the first is kept.
    const once = [...new Map(all.toReversed().map((word) => [word.folded, word])).values()];
    if (all.length === 0) return { added: 0, changed: 0, known: 0 };
    const { added, changed } = await this.words.add(once, action, by);
    return { added, changed, known: all.length - added - changed };
  }

  /**
   * Adds the words of a text, one a line; blank lines are nothing.
   *
   * @throws NotPossible with the number of the first line that is no word; then nothing is added
   */
  async addLines(text: string, action: Action, by: string): Promise<WordsAdded> {
    const words = text.split('\n').flatMap((line, at) => {
      if (cleanText(line) === '') return [];
      try {
        return [foldedWord(line).word];
      } catch (error) {
        throw new OperationError(`line ${at + 1}: ${(error as Error).message}`);
      }
    });
    return this.add(words, action, by);
  }

  /** Takes words out of the list, in whatever spelling. @returns how many there were */
  remove(words: readonly string[]): Promise<number> {
    return this.words.remove(words.map((word) => keyOf(cleanText(word))));
  }
}
