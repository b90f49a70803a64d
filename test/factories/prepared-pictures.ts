import { type PicturesService, type PreparedPicture } from '../../src/images/pictures.service';

/** Prepares one picture as an upload does. @throws ApiError 1008 or 1009 like the service */
export async function prepareOne(
  pictures: PicturesService,
  bytes: Buffer,
): Promise<PreparedPicture> {
  const header = await pictures.readHeader(bytes);
  const [prepared] = await pictures.prepare([{ bytes, header }]);
  return prepared as PreparedPicture;
}
