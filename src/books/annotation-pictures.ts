import { malformed } from '../api/errors';
import { type PictureUpload } from '../api/uploads';
import { type PicturesService, type PreparedPicture } from '../images/pictures.service';

/**
 * Parts of a multipart body that are pictures: named by their number, from 1, with or without `pic`
 * before it (specification section 4.1).
 */
export const NUMBERED_PICTURES = { field: /^(?:pic)?\d+$/, max: undefined };

/** Highest number of a picture: pseudo-tags have no more digits. */
const HIGHEST = 9999;

/** A picture of an annotation. */
export interface NumberedPicture {
  readonly number: number;
  readonly picture: PreparedPicture;
}

/**
 * Numbers of uploaded pictures.
 *
 * @param taken numbers that have a picture already: it stays what it is (specification section 4.1)
 * @throws ApiError 999 for a number that cannot be, comes twice, or is taken
 */
export function numbersOf(
  uploads: readonly PictureUpload[],
  taken: Readonly<Record<string, string>>,
): number[] {
  const numbers = uploads.map(({ field }) => Number(field.replace('pic', '')));
  const beyond = numbers.find((number) => number < 1 || number > HIGHEST);
  if (beyond !== undefined) throw malformed(`picture ${beyond} is not from 1 to ${HIGHEST}`);
  const twice = numbers.find((number, at) => numbers.indexOf(number) !== at);
  if (twice !== undefined) throw malformed(`picture ${twice} must be given once`);
  const known = numbers.find((number) => String(number) in taken);
  if (known !== undefined) {
    throw malformed(`there is a picture ${known} already: give the new one another number`);
  }
  return numbers;
}

/**
 * Checks, draws and stores uploaded pictures, before what shows them is written.
 *
 * @throws ApiError 1008 or 1009 for what is no picture; 999 as {@link numbersOf}
 */
export async function takeIn(
  pictures: PicturesService,
  uploads: readonly PictureUpload[],
  taken: Readonly<Record<string, string>> = {},
): Promise<NumberedPicture[]> {
  const numbers = numbersOf(uploads, taken);
  const prepared: PreparedPicture[] = [];
  // One after the other: their pixels need much more memory than their files.
  for (const { bytes } of uploads) prepared.push(await pictures.prepare(bytes));
  await pictures.store(prepared);
  return prepared.map((picture, at) => ({ number: numbers[at] ?? 0, picture }));
}
