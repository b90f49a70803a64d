import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  referencePictures,
  usePictures,
  type PictureSubject,
} from '../../../src/images/pictures.repository';
import { PicturesService } from '../../../src/images/pictures.service';
import { flat } from '../../factories/pictures';
import { startHarness, type Harness } from '../../harness';
import { prepareOne, readFiles, type EncodedPicture } from '../../factories/prepared-pictures';

/** The whole service, with its pictures in a folder of their own. */
export async function startWithPictures(
  settings: Record<string, string> = {},
): Promise<Harness & { readonly folder: string }> {
  // Folders with a dot are fine: the usual place has one.
  const folder = await mkdtemp(join(tmpdir(), '.commonplace-pictures-'));
  const harness = await startHarness({ settings: { PICTURES_DIR: folder, ...settings } });
  return {
    ...harness,
    folder,
    close: async () => {
      await harness.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let nextSubject = 1000;

/** Takes a picture in as a write does. @returns it and the id of what shows it */
export async function showPicture(
  harness: Harness,
  bytes: Buffer,
  isPrivate: boolean,
  subject: PictureSubject = 'annotation',
): Promise<EncodedPicture & { readonly subjectId: number }> {
  const pictures = harness.app.get(PicturesService, { strict: false });
  const picture = await prepareOne(pictures, bytes);
  await pictures.store([picture]);
  nextSubject += 1;
  const subjectId = nextSubject;
  await harness.database.transaction(async (runner) => {
    await referencePictures(runner, [picture]);
    const use = { number: 1, hash: picture.hash, private: isPrivate };
    await usePictures(runner, subject, subjectId, [use]);
  });
  return { ...(await readFiles(picture)), subjectId };
}

let nextColour = 0x102030;

/** A JPEG like no other of the test. */
export function someJpeg(width = 500, height = 400): Promise<Buffer> {
  nextColour = (nextColour + 0x050709) % 0x1000000;
  return flat(width, height, `#${nextColour.toString(16).padStart(6, '0')}`)
    .jpeg()
    .toBuffer();
}
