import { type PictureFile } from '../../src/api/body/uploads';
import { type PicturesService, type PreparedPicture } from '../../src/images/pictures.service';

/** A file that is not on disk. */
export const inMemory = (bytes: Buffer): PictureFile => ({
  size: bytes.length,
  read: () => Promise.resolve(bytes),
});

/** Prepares one picture as an upload does. @throws ApiError 1008 or 1009 like the service */
export async function prepareOne(
  pictures: PicturesService,
  bytes: Buffer,
): Promise<PreparedPicture> {
  return prepareFile(pictures, inMemory(bytes));
}

/** The same for a file. */
export async function prepareFile(
  pictures: PicturesService,
  file: PictureFile,
): Promise<PreparedPicture> {
  const header = await pictures.readHeader(file);
  const [prepared] = await pictures.prepare([{ file, header }], (one) => Promise.resolve(one));
  return prepared as PreparedPicture;
}
