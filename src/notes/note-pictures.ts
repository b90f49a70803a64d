import { malformed } from '../api/errors/error-codes';
import { type PictureFile, type PictureUpload } from '../api/body/uploads';
import { validatePictureNumbers } from '../images/numbered-pictures';
import { type PictureStyle } from '../text/note-markup';
import { numbersOf, type StyleReader } from './notes.input';

/** Picture parts of a multipart body: `image_1` is the picture `p_1` (D31). */
export const NOTE_PICTURES = { field: /^image_(?:p_)?\d{1,9}$/, max: 3 };

/** A picture uploaded with a note. */
export interface NotePicture {
  readonly number: number;
  readonly file: PictureFile;
  readonly style: PictureStyle;
}

/**
 * The pictures in `pids` with their styles.
 * @throws ApiError 999 for invalid `pids`, a missing or unnamed part, or an invalid layout (D31)
 */
export function namedPictures(
  pids: string | undefined,
  uploads: readonly PictureUpload[],
  styleOf: StyleReader,
): NotePicture[] {
  const numbers = numbersOf(pids);
  validatePictureNumbers(numbers, {});
  const parts = uploads.map(({ field, file }) => ({
    number: Number(field.replace(/\D+/, '')),
    file,
  }));
  const sent = parts.map(({ number }) => number);
  // A picture without a pid would be lost silently.
  const unnamed = sent.find((number, at) => !numbers.includes(number) || sent.indexOf(number) < at);
  if (unnamed !== undefined) throw malformed(`pids must name image_${unnamed} exactly once`);
  return numbers.map((number) => {
    const part = parts.find((one) => one.number === number);
    if (!part) throw malformed(`image_${number} is missing`);
    return { number, file: part.file, style: styleOf(number) };
  });
}
