import { handmadePng } from '../../test/factories/pictures';
import { inMemory } from '../../test/factories/prepared-pictures';
import { ingestNumbered } from './numbered-pictures';
import { readHeader } from './picture-encoding';
import { type PicturesService } from './pictures.service';

/** 49 million pixels of one bit, in a few KB. */
const LARGE = handmadePng(7000, 7000, 1);

it('rejects pictures with too many pixels in total with 1009, before it decodes any (D65)', async () => {
  const prepare = jest.fn();
  const readHeaders: PicturesService['readHeaders'] = async (files, _waiting, onHeader) => {
    const headers = await Promise.all(files.map(async (file) => readHeader(await file.read())));
    for (const header of headers) onHeader?.(header);
    return headers;
  };
  const pictures = { prepare, readHeaders } as unknown as PicturesService;
  const uploads = Array.from({ length: 11 }, (_, at) => ({
    number: at + 1,
    file: inMemory(LARGE),
  }));
  await expect(ingestNumbered(pictures, 1, uploads)).rejects.toMatchObject({ row: { code: 1009 } });
  expect(prepare).not.toHaveBeenCalled();
});
