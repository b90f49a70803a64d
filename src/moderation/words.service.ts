import { Injectable } from '@nestjs/common';
import { OperationError } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { cleanText, lengthOf } from '../api/input/text-input';
import { keyOf, type Action } from './matcher';
import { type TransactionHooks } from '../database/database';
import { WordsRepository, type FoldedWord, type WordRow } from './words.repository';

/** Maximum length of a word in characters. */
const MAX_LENGTH = 100;

/** The result of adding words. */
export interface WordsAdded {
  readonly added: number;
  /** Existing words with a changed action. */
  readonly changed: number;
  /** Existing words. */
  readonly unchanged: number;
}

/**
 * A word with its normalized form.
 * @throws OperationError for a word that cannot be matched
 */
export function foldedWord(text: string): FoldedWord {
  const word = cleanText(text);
  const key = keyOf(word);
  if (key === '') throw new OperationError(`the word "${word}" contains no letters`);
  if (/^[a-z0-9]$/.test(key))
    throw new OperationError(`the word "${word}" must have more than one letter`);
  if (lengthOf(word) > MAX_LENGTH)
    throw new OperationError(`a word must have at most ${MAX_LENGTH} characters`);
  return { word, folded: key };
}

/** Administration of banned words. Every process applies a change immediately (1004). */
@Injectable()
export class WordsService {
  constructor(private readonly words: WordsRepository) {}

  /** Words in the order of their creation, all or those with one action. */
  list(page: PageQuery, action?: Action): Promise<Page<WordRow>> {
    return this.words.list(page, action);
  }

  /** All matching words, ordered by id. */
  scan(action: Action | undefined): AsyncGenerator<WordRow> {
    return this.words.scan(action);
  }

  /**
   * Adds words; an existing one, in any spelling, gets the new action.
   * @throws OperationError for the first invalid word; no word is added then
   */
  async addWords(
    words: readonly string[],
    action: Action,
    by: string,
    hooks?: TransactionHooks,
  ): Promise<WordsAdded> {
    const all = words.map(foldedWord);
    // The first of several spellings is kept.
    const once = [...new Map(all.toReversed().map((word) => [word.folded, word])).values()];
    if (all.length === 0) return { added: 0, changed: 0, unchanged: 0 };
    const { added, changed } = await this.words.insertWords(once, action, by, hooks);
    return { added, changed, unchanged: all.length - added - changed };
  }

  /**
   * Adds the words of a text, one per line; blank lines are ignored.
   * @throws OperationError with the number of the first invalid line; no word is added then
   */
  async addLines(
    text: string,
    action: Action,
    by: string,
    hooks?: TransactionHooks,
  ): Promise<WordsAdded> {
    const words = text.split('\n').flatMap((line, at) => {
      if (cleanText(line) === '') return [];
      try {
        return [foldedWord(line).word];
      } catch (error) {
        throw new OperationError(`line ${at + 1}: ${(error as Error).message}`);
      }
    });
    return this.addWords(words, action, by, hooks);
  }

  /** Removes words in any spelling. @returns the number of removed words */
  deleteWords(words: readonly string[], hooks?: TransactionHooks): Promise<number> {
    const folded = words.map((word) => keyOf(cleanText(word)));
    return this.words.deleteWords(folded, hooks);
  }
}
