import { type Moderator, type ModeratedText, type ModerationFlag } from '../api/writes/moderation';
import { noteWords } from '../text/note-html';
import { parseNote } from '../text/note-markup';
import { type NotePicture } from './note-pictures';

/** Several reasons as one; of texts of one name the first is kept. */
function mergeFlags(...all: readonly (ModerationFlag | undefined)[]): ModerationFlag | undefined {
  const some = all.filter((one) => one !== undefined);
  if (some.length === 0) return undefined;
  const texts = new Map<string, ModeratedText>();
  for (const text of some.flatMap((one) => one.texts)) {
    if (!texts.has(text.name)) texts.set(text.name, text);
  }
  return { words: [...new Set(some.flatMap(({ words }) => words))], texts: [...texts.values()] };
}

/**
 * Looks for banned words in what came with a note: its captions, beside what was found in its other
 * texts already.
 *
 * @throws ApiError 1004 for a word that is refused
 */
export async function suspicionOf(
  moderator: Moderator,
  found: ModerationFlag | undefined,
  pictures: readonly NotePicture[],
): Promise<ModerationFlag | undefined> {
  const captions = pictures.map(({ number, style }) => ({
    name: `desc_${number}`,
    text: style.caption,
  }));
  return mergeFlags(found, await moderator.check(captions));
}

/**
 * Looks for banned words in a note as it shall be: also what did not come now, as captions of
 * pictures that it had before, and words that only come about when marks are gone.
 *
 * @param given why what came now has to be looked at
 * @throws ApiError 1004 for a word that is refused
 */
export async function lastDecision<N extends { readonly title: string; readonly content: string }>(
  moderator: Moderator,
  note: N,
  given: ModerationFlag | undefined,
): Promise<N & { readonly suspicion: ModerationFlag | undefined }> {
  const { title, content } = note;
  const found = await moderator.check([
    { name: 'title', text: title },
    { name: 'content', text: content },
    { name: 'content', text: noteWords(parseNote(content)) },
  ]);
  return { ...note, suspicion: mergeFlags(found, given) };
}
