import { type PictureUpload } from '../api/body/uploads';
import { checkNumbers, drawNumbered, type NumberedPicture } from '../images/numbered-pictures';
import { type PicturesService } from '../images/pictures.service';

/**
 * Parts of a multipart body that are pictures: named by their number, from 1, with or without `pic`
 * before it (specification section 4.1).
 */
export const NUMBERED_PICTURES = { field: /^(?:pic)?\d+$/, max: undefined };

/**
 * Checks, draws and stores uploaded pictures, before the annotation that shows them is written.
 *
 * @param taken numbers that have a picture already: it stays what it is (specification section 4.1)
 * @throws ApiError 1008 or 1009 for what is no picture; 999 for a number that cannot be, comes
 * twice, or is taken
 */
export async function ingestPictures(
  pictures: PicturesService,
  uploads: readonly PictureUpload[],
  taken: Readonly<Record<string, string>> = {},
): Promise<NumberedPicture[]> {
  const numbered = uploads.map(({ field, bytes }) => ({
    number: Number(field.replace('pic', '')),
    bytes,
  }));
  checkNumbers(
    numbered.map(({ number }) => number),
    taken,
  );
  return drawNumbered(pictures, numbered);
}
