import { Injectable } from '@nestjs/common';
import {
  banned,
  Moderator,
  type CheckOptions,
  type ModeratedText,
  type ModerationFlag,
} from '../api/writes/moderation';
import { WaitingTime } from '../api/body/turn';
import { StaleReadGuard } from '../database/stale-read-guard';
import { Notifications } from '../database/notifications';
import { Matcher } from './matcher';
import { TextSearch, type FindOptions } from './text-search';
import { WordsRepository } from './words.repository';

/** The channel on which a trigger reports changes of the table of words. */
const CHANNEL = 'words_changed';

/** The banned words as a matcher, updated immediately after changes of the table. */
@Injectable()
export class WordList extends Moderator {
  private matcher: Matcher | undefined;
  private readonly rows: StaleReadGuard<Matcher>;
  private readonly search = new TextSearch(() => this.matcher as Matcher);

  constructor(words: WordsRepository, notifications: Notifications) {
    super();
    this.rows = new StaleReadGuard(
      async () => new Matcher(await words.all()),
      (matcher) => {
        this.matcher = matcher;
      },
    );
    notifications.on(CHANNEL, async () => {
      await this.read();
    });
  }

  /** Reloads the table. @throws ApiError 999 with 503 when the database is unavailable */
  read(): Promise<Matcher> {
    return this.rows.refresh();
  }

  override async check(
    texts: readonly ModeratedText[],
    options?: CheckOptions,
  ): Promise<ModerationFlag | undefined> {
    // No text is accepted before the words are loaded.
    if (!this.matcher) await this.read();
    const waiting = WaitingTime.ofCurrentRequest();
    for (;;) {
      const { matcher } = this;
      const flag = await this.searchAll(texts, { ...options, waiting });
      await waiting.recheckAccess();
      // Words may have been added while a later text waited for its turn.
      if (matcher === this.matcher) return flag;
    }
  }

  private async searchAll(
    texts: readonly ModeratedText[],
    options: FindOptions,
  ): Promise<ModerationFlag | undefined> {
    const words = new Set<string>();
    const flagged = new Map<string, ModeratedText>();
    for (const text of texts) {
      const found = await this.search.find(text.text, options);
      if (found.some(({ action }) => action === 'refuse')) throw banned([text]);
      if (found.length > 0 && !flagged.has(text.name)) flagged.set(text.name, text);
      for (const { word } of found) words.add(word);
    }
    return words.size === 0 ? undefined : { words: [...words], texts: [...flagged.values()] };
  }
}
