import { malformed } from '../api/errors/errors';
import { type PictureUpload } from '../api/body/uploads';
import { checkNumbers } from '../images/numbered-pictures';
import { type PictureStyle } from '../text/note-markup';
import { numbersOf, type StyleReader } from './notes.input';

/** Parts of a multipart body that are pictures: `image_1` is the picture `p_1` (D31). */
export const NOTE_PICTURES = { field: /^image_(?:p_)?\d{1,9}$/, max: 3 };

/** A picture that came with a note. */
export interface NotePicture {
  readonly number: number;
  readonly bytes: Buffer;
  readonly style: PictureStyle;
}

/**
 * The pictures that `pids` names, with what was said of them.
 *
 * @throws ApiError 999 when `pids` cannot be read, a part is missing or was not named, or a layout
 * cannot be (D31)
 */
export function namedPictures(
  pids: string | undefined,
  uploads: readonly PictureUpload[],
  styleOf: StyleReader,
): NotePicture[] {
  const numbers = numbersOf(pids);
  checkNumbers(numbers, {});
  const given = uploads.map(({ field, bytes }) => ({
    number: Number(field.replace(/\D+/, '')),
    bytes,
  }));
  const sent = given.map(({ number }) => number);
  // A picture that came and is named nowhere would be lost without a word.
  const unnamed = sent.find((number, at) => !numbers.includes(number) || sent.indexOf(number) < at);
  if (unnamed !== undefined) throw malformed(`image_${unnamed} must be in pids, and be there once`);
  return numbers.map((number) => {
    const part = given.find((one) => one.number === number);
    if (!part) throw malformed(`image_${number} is missing`);
    return { number, bytes: part.bytes, style: styleOf(number) };
  });
}
