import { stat } from 'node:fs/promises';
import { fileVersionOf } from '../engine/file-version';
import { readManifest } from '../full/manifest';

/**
 * Identifies the input of an import: the SHA-256 of the manifest of a full export, or the size and
 * the times of the file.
 *
 * @param path of the folder or file
 * @throws Error if the file or manifest cannot be read
 */
export async function fingerprintOf(kind: string, path: string): Promise<string> {
  if (kind === 'all') return (await readManifest(path)).hash;
  return fileVersionOf(await stat(path, { bigint: true }));
}
