import { stat } from 'node:fs/promises';
import { fileVersionOf } from '../engine/file-version';
import { readManifest } from '../full/manifest';

/** See `manifest` of a job. @throws Error if the file or manifest cannot be read */
export async function fingerprintOf(kind: string, path: string): Promise<string> {
  if (kind === 'all') return (await readManifest(path)).hash;
  return fileVersionOf(await stat(path, { bigint: true }));
}
