import { Injectable } from '@nestjs/common';
import { notFound, OperationError } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { cleanText } from '../api/input/text-input';
import { AuditService, type Actor } from '../audit/audit.service';
import { nestHooks, type SqlExecutor, type TransactionHooks } from '../database/database';
import { keyOf, type Action } from '../moderation/matcher';
import { WordsRepository, type WordRow } from '../moderation/words.repository';
import { WordsService, type WordsAdded } from '../moderation/words.service';

/** Maximum length of the words that identify a change, in characters. */
const NAMED = 200;

const wordNotFound = (id: number): OperationError => notFound(`word not found: ${id}`);

/** Administration of banned words (1004). */
@Injectable()
export class AdminWordsService {
  constructor(
    private readonly stored: WordsRepository,
    private readonly words: WordsService,
    private readonly audit: AuditService,
  ) {}

  list(action: Action | undefined, page: PageQuery): Promise<Page<WordRow>> {
    return this.words.list(page, action);
  }

  /** All matching words, ordered by id. */
  scan(action: Action | undefined): AsyncGenerator<WordRow> {
    return this.words.scan(action);
  }

  /**
   * Adds words or changes their action.
   * @throws OperationError 999 without a word, or for the first invalid word; no word is added then
   */
  addWords(
    words: readonly string[],
    action: Action,
    actor: Actor,
    by = actor.name,
  ): Promise<WordsAdded> {
    return this.add(words, actor, (hooks) => this.words.addWords(words, action, by, hooks));
  }

  /**
   * Adds the words of a text, one per line.
   * @throws OperationError 999 without a word, or with the first invalid line
   */
  addLines(text: string, action: Action, actor: Actor, by = actor.name): Promise<WordsAdded> {
    const words = text.split('\n').filter((line) => cleanText(line) !== '');
    return this.add(words, actor, (hooks) => this.words.addLines(text, action, by, hooks));
  }

  /** Changes the action of a word. @throws OperationError 1001 when not found */
  async update(id: number, action: Action, actor: Actor): Promise<WordsAdded> {
    const word = await this.word(id);
    return this.change('add', [word], actor, (hooks) =>
      this.words.addWords([word], action, actor.name, this.locked(id, word, hooks)),
    );
  }

  /** @throws OperationError 1001 when not found */
  async deleteWord(id: number, actor: Actor): Promise<void> {
    const word = await this.word(id);
    await this.change('remove', [word], actor, (hooks) =>
      this.words.deleteWords([word], this.locked(id, word, hooks)),
    );
  }

  /**
   * Locks a word for a change that finds it by its text. Without the lock, the change could create
   * a word again that was deleted meanwhile, or delete a new one with the same text.
   * @returns hooks that throw OperationError 1001 when the word no longer exists
   */
  private readonly locked = (id: number, word: string, hooks: TransactionHooks): TransactionHooks =>
    nestHooks(hooks, {
      begin: async (executor) => {
        if (!(await this.stored.lockWord(executor, id, word))) throw wordNotFound(id);
      },
    });

  /** Removes words in any spelling. @returns the number of removed words */
  removeAll(words: readonly string[], actor: Actor): Promise<number> {
    return this.change('remove', words, actor, (hooks) => this.words.deleteWords(words, hooks));
  }

  private async word(id: number): Promise<string> {
    const word = await this.stored.findWord(id);
    if (word === undefined) throw wordNotFound(id);
    return word;
  }

  private async add(
    words: readonly string[],
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<WordsAdded>,
  ): Promise<WordsAdded> {
    if (words.length === 0) throw new OperationError('at least one word is required');
    return this.change('add', words, actor, work);
  }

  private change<T>(
    verb: string,
    words: readonly string[],
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<T>,
  ): Promise<T> {
    const keys = words.map((word) => keyOf(cleanText(word)));
    const read = (executor: SqlExecutor) => this.stored.findActions(executor, keys);
    const id = words.join(', ').slice(0, NAMED).toWellFormed();
    const change = { actor, action: `word.${verb}`, kind: 'word', id, lockKey: 'list', read };
    return this.audit.logChange(change, work);
  }
}
