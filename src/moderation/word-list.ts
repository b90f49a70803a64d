import { Injectable } from '@nestjs/common';
import {
  banned,
  Moderator,
  type ModeratedText,
  type ModerationFlag,
} from '../api/writes/moderation';
import { Notifications } from '../database/notifications';
import { Matcher } from './matcher';
import { WordsRepository } from './words.repository';

/** Where a trigger tells that the table of words has changed. */
const CHANNEL = 'words_changed';

/** The banned words in force, ready to be found; changes of the table are followed at once. */
@Injectable()
export class WordList extends Moderator {
  private matcher: Matcher | undefined;
  /** Readings that have begun, and the one that the matcher is of. */
  private begun = 0;
  private current = 0;

  constructor(
    private readonly words: WordsRepository,
    notifications: Notifications,
  ) {
    super();
    notifications.on(CHANNEL, async () => {
      await this.read();
    });
  }

  /** Reads the table anew. @throws ApiError 999 with 503 when the database is away */
  async read(): Promise<Matcher> {
    this.begun += 1;
    const turn = this.begun;
    const matcher = new Matcher(await this.words.all());
    // What began earlier may end later, and knows less.
    if (turn < this.current) return matcher;
    this.current = turn;
    this.matcher = matcher;
    return matcher;
  }

  override async check(texts: readonly ModeratedText[]): Promise<ModerationFlag | undefined> {
    // Until the words are known, nothing gets past them.
    const matcher = this.matcher ?? (await this.read());
    const words = new Set<string>();
    const suspected: ModeratedText[] = [];
    for (const given of texts) {
      const found = matcher.find(given.text);
      if (found.some(({ action }) => action === 'refuse')) throw banned([given]);
      if (found.length > 0) suspected.push(given);
      for (const { word } of found) words.add(word);
    }
    return words.size === 0 ? undefined : { words: [...words], texts: suspected };
  }
}
