import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileVersionOf } from '../engine/file-version';
import { MANIFEST, readManifest, type ReadManifest } from '../full/manifest';
import { unlessUnavailable } from './unavailable-storage';

/**
 * Reads the manifest of a full export.
 * @param path of the folder
 * @throws Error of the file system if the disk is unavailable, instead of the reason that the folder
 *   is not a supported full export
 */
export async function readJobManifest(path: string): Promise<ReadManifest> {
  try {
    return await readManifest(path);
  } catch (error) {
    await stat(join(path, MANIFEST)).catch(unlessUnavailable);
    throw error;
  }
}

/**
 * Identifies the input of an import: the SHA-256 of the manifest of a full export, or the size and
 * the times of the file.
 *
 * @param path of the folder or file
 * @throws Error if the file or manifest cannot be read
 */
export async function fingerprintOf(kind: string, path: string): Promise<string> {
  if (kind === 'all') return (await readJobManifest(path)).hash;
  return fileVersionOf(await stat(path, { bigint: true }));
}
