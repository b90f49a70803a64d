import { type ImageHeader } from '../../src/images/picture-encoding';
import { type PictureFile } from '../../src/api/body/uploads';
import { type PicturesService, type PreparedPicture } from '../../src/images/pictures.service';

/** A file that is not on disk. */
export const inMemory = (bytes: Buffer): PictureFile => ({
  size: bytes.length,
  read: () => Promise.resolve(bytes),
  addFile: (other) => Promise.resolve(inMemory(other)),
});

/** A picture with the bytes of its files. */
export type EncodedPicture = Omit<PreparedPicture, 'large' | 'small'> &
  Readonly<Record<'large' | 'small', Buffer>>;

/** Reads the files of a picture. */
export async function readFiles(picture: PreparedPicture): Promise<EncodedPicture> {
  const [large, small] = [await picture.large.read(), await picture.small.read()];
  return { ...picture, large, small };
}

/** The picture and the bytes that an upload stores. @throws ApiError 1008 or 1009 like the service */
export async function encodeOne(pictures: PicturesService, bytes: Buffer): Promise<EncodedPicture> {
  return readFiles(await prepareOne(pictures, bytes));
}

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
  const [header] = await pictures.readHeaders([file]);
  const [prepared] = await pictures.prepare([{ file, header: header as ImageHeader }]);
  return prepared as PreparedPicture;
}
