import { type PictureUpload } from '../api/body/uploads';
import {
  validatePictureNumbers,
  ingestNumbered,
  type NumberedPicture,
} from '../images/numbered-pictures';
import { type PicturesService } from '../images/pictures.service';

/**
 * Picture parts of a multipart body: the name is the number, from 1, with an optional prefix `pic`
 * (specification section 4.1).
 */
export const NUMBERED_PICTURES = { field: /^(?:pic)?\d+$/, max: undefined };

/**
 * Checks, re-encodes and stores uploaded pictures before the annotation is written.
 * @param taken numbers of existing pictures, which cannot be replaced (specification section 4.1)
 * @throws ApiError 1008 or 1009 for an invalid picture; 999 for a number that is invalid, duplicate
 *   or in use, and when the user has too many pictures
 */
export async function ingestPictures(
  pictures: PicturesService,
  userId: number,
  uploads: readonly PictureUpload[],
  taken: Readonly<Record<string, string>> = {},
): Promise<NumberedPicture[]> {
  const numbered = uploads.map(({ field, file }) => ({
    number: Number(field.replace('pic', '')),
    file,
  }));
  validatePictureNumbers(
    numbered.map(({ number }) => number),
    taken,
  );
  return ingestNumbered(pictures, userId, numbered);
}
