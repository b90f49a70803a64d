import { WordList } from '../../../src/moderation/word-list';
import { type Action } from '../../../src/moderation/matcher';
import { WordsService } from '../../../src/moderation/words.service';
import { type Harness } from '../../harness';

/** Adds banned words, and lets the server know them now rather than in a moment. */
export async function ban(harness: Harness, action: Action, ...words: string[]): Promise<void> {
  await harness.app.get(WordsService, { strict: false }).addWords(words, action, 'test');
  await harness.app.get(WordList, { strict: false }).read();
}
