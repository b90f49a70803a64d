import { WaitingTime } from '../api/body/turn';
import { type PictureFile } from '../api/body/uploads';
import { malformed } from '../api/errors/error-codes';
import { type SqlExecutor } from '../database/database';
import { wrongFormat, type ImageHeader } from './picture-encoding';
import { weightedMegapixels } from './picture-turns';
import {
  countUses,
  referencePictures,
  usePictures,
  type PictureSubject,
} from './pictures.repository';
import {
  type MeasuredPicture,
  type PicturesService,
  type PreparedPicture,
} from './pictures.service';

/** Highest picture number: pseudo-tags have at most four digits. */
export const HIGHEST_NUMBER = 9999;

/**
 * Maximum number of pictures of an annotation or note (D41). Lists show the addresses of all of
 * them, so that a hundred texts with more would take a lot of memory.
 */
export const MAX_PICTURES = 300;

function checkCount(count: number): void {
  if (count > MAX_PICTURES) {
    throw malformed(`an annotation or note must have at most ${MAX_PICTURES} pictures`);
  }
}

/** A picture with its number in the annotation or note. */
export interface NumberedPicture {
  readonly number: number;
  readonly picture: PreparedPicture;
}

/**
 * Validates the numbers of new pictures.
 * @param taken numbers of existing pictures, which cannot be replaced
 * @throws ApiError 999 for a number that is invalid, duplicate or in use, and for too many pictures
 */
export function validatePictureNumbers(
  numbers: readonly number[],
  taken: Readonly<Record<string, string>>,
): void {
  const beyond = numbers.find((number) => number < 1 || number > HIGHEST_NUMBER);
  if (beyond !== undefined)
    throw malformed(`the picture number ${beyond} must be from 1 to ${HIGHEST_NUMBER}`);
  const twice = numbers.find((number, at) => numbers.indexOf(number) !== at);
  if (twice !== undefined) throw malformed(`the request must contain picture ${twice} only once`);
  const used = numbers.find((number) => String(number) in taken);
  if (used !== undefined) {
    throw malformed(`picture ${used} already exists; use another number`);
  }
  checkCount(numbers.length + Object.keys(taken).length);
}

/**
 * Pixels, in millions and weighted by the time that each takes, that the pictures of one request
 * have together at most (D65).
 */
const MAX_MEGAPIXELS = 500;

/** An uploaded picture and the number that it gets. */
interface Upload {
  readonly number: number;
  readonly file: PictureFile;
}

interface MeasuredUpload extends Upload, MeasuredPicture {}

/** @throws ApiError 1008 or 1009 for a header; 1009 when there are too many pixels together */
async function readHeaders(
  pictures: PicturesService,
  uploads: readonly Upload[],
  waiting: WaitingTime,
): Promise<MeasuredUpload[]> {
  let megapixels = 0;
  const files = uploads.map(({ file }) => file);
  const headers = await pictures.readHeaders(files, waiting, (header) => {
    megapixels += weightedMegapixels(header);
    if (megapixels <= MAX_MEGAPIXELS) return;
    throw wrongFormat(
      `the pictures have more than ${MAX_MEGAPIXELS} million pixels together; 16-bit, interlaced and progressive pictures count twice`,
    );
  });
  return uploads.map((upload, at) => ({ ...upload, header: headers[at] as ImageHeader }));
}

/**
 * Checks, encodes and stores uploaded pictures, before the subject that shows them is written. When
 * the client leaves, the remaining pictures are not decoded. If a picture fails, the sweeper deletes
 * those before it.
 *
 * @throws ApiError 1008 or 1009 for files that are not pictures; 999 when the user has too many
 *   pictures (D123); 999 with 503 when the client left; like the guards when the rights of the caller
 *   were withdrawn meanwhile
 */
export async function ingestNumbered(
  pictures: PicturesService,
  userId: number,
  uploads: readonly Upload[],
): Promise<NumberedPicture[]> {
  if (uploads.length === 0) return [];
  const waiting = WaitingTime.ofCurrentRequest();
  const read = await readHeaders(pictures, uploads, waiting);
  // Before decoding, which is the expensive part. Re-encoded pictures are rarely larger.
  const bytes = uploads.reduce((sum, upload) => sum + upload.file.size, 0);
  await pictures.checkQuota(userId, bytes);
  const prepared = await pictures.prepare(read, waiting);
  await pictures.store(prepared, userId, waiting);
  await waiting.recheckAccess();
  return prepared.map((picture, at) => ({ number: read[at]?.number as number, picture }));
}

/**
 * Attaches pictures stored by {@link ingestNumbered} to a subject, in the transaction that writes
 * the subject.
 * @returns their paths by number
 * @throws ApiError 999 for a number that another request used concurrently, and for too many
 *   pictures together with those of other requests
 */
export async function attachPictures(
  executor: SqlExecutor,
  subject: PictureSubject,
  id: number,
  pictures: readonly NumberedPicture[],
  isPrivate: boolean,
): Promise<Record<string, string>> {
  await referencePictures(
    executor,
    pictures.map(({ picture }) => picture),
  );
  const uses = pictures.map(({ number, picture: { hash } }) => ({
    number,
    hash,
    private: isPrivate,
  }));
  const [taken] = await usePictures(executor, subject, id, uses);
  if (taken !== undefined) throw malformed(`picture ${taken} already exists`);
  checkCount(await countUses(executor, subject, id));
  return Object.fromEntries(pictures.map(({ number, picture }) => [number, picture.path]));
}
