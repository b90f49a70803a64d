import {
  type CheckOptions,
  type Moderator,
  type ModeratedText,
  type ModerationFlag,
} from '../api/writes/moderation';
import { displayedNoteForms } from '../text/note-html';
import { type NotePicture } from './note-pictures';

/** Merges flags; the first text of each name is kept. */
function mergeFlags(...all: readonly (ModerationFlag | undefined)[]): ModerationFlag | undefined {
  const flags = all.filter((one) => one !== undefined);
  if (flags.length === 0) return undefined;
  const texts = new Map<string, ModeratedText>();
  for (const text of flags.flatMap((one) => one.texts)) {
    if (!texts.has(text.name)) texts.set(text.name, text);
  }
  return { words: [...new Set(flags.flatMap(({ words }) => words))], texts: [...texts.values()] };
}

/**
 * Searches the captions of a note for banned words and adds the flag of its other texts.
 * @throws ApiError 1004 for a refused word
 */
export async function flagOf(
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
 * Searches the new state of a note for banned words. It includes captions of existing pictures, and
 * words that only appear when markup is removed.
 * @param pictures the numbers of the pictures that the note will have
 * @param flag the flag of the request's own texts
 * @throws ApiError 1004 for a refused word
 */
export async function lastDecision<N extends { readonly title: string; readonly content: string }>(
  moderator: Moderator,
  note: N,
  pictures: ReadonlySet<number>,
  flag: ModerationFlag | undefined,
  options?: CheckOptions,
): Promise<N & { readonly moderationFlag: ModerationFlag | undefined }> {
  const { title, content } = note;
  const forms = new Set([content, ...displayedNoteForms(content, pictures)]);
  const texts = [...forms].map((text) => ({ name: 'content', text }));
  const found = await moderator.check([{ name: 'title', text: title }, ...texts], options);
  return { ...note, moderationFlag: mergeFlags(found, flag) };
}
