import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordError, RecordReader } from '../engine/record';

export const MANIFEST = 'manifest.json';

/**
 * Of the folder as a whole: raised when older programs would misread it. A new kind does not: who
 * does not know one refuses the folder.
 */
export const FORMAT = 1;

/** One file of a whole export. */
export interface ManifestEntry {
  readonly kind: string;
  /** Its name in the folder, `NN-kind.ndjson.gz`. */
  readonly file: string;
  /** Lines, each a record. */
  readonly records: number;
  /** Bytes of the lines, and their SHA-256 in hexadecimal digits. */
  readonly bytes: number;
  readonly sha256: string;
  /** The same of the packed file. */
  readonly gz_bytes: number;
  readonly gz_sha256: string;
}

/** What a whole export is made of; written last, so that a folder with one is complete. */
export interface Manifest {
  readonly format: number;
  /** Version of the service that wrote it. */
  readonly service: string;
  readonly kinds: readonly ManifestEntry[];
}

/** A manifest, and what tells it from others. */
export interface ReadManifest extends Manifest {
  /** SHA-256 of the manifest's file. */
  readonly hash: string;
}

/** Names of files of whole exports; `.part` while they are written. */
export const FILE_NAME = /^\d{2}-[a-z][a-z-]{0,40}\.ndjson\.gz$/;

const sha256 = (reader: RecordReader, name: string): string => {
  const hash = reader.requiredText(name);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RecordError(`${name} must be a SHA-256`);
  return hash;
};

function readEntry(value: unknown): ManifestEntry {
  const reader = new RecordReader(value, 'kinds');
  const file = reader.requiredText('file');
  if (!FILE_NAME.test(file)) throw new RecordError(`kinds.file is no file's name: ${file}`);
  return {
    kind: reader.requiredText('kind'),
    file,
    records: Number(reader.text('records')),
    bytes: Number(reader.text('bytes')),
    sha256: sha256(reader, 'sha256'),
    gz_bytes: Number(reader.text('gz_bytes')),
    gz_sha256: sha256(reader, 'gz_sha256'),
  };
}

/**
 * The manifest of a folder.
 *
 * @throws Error saying why the folder is no whole export that this service can read
 */
export async function readManifest(folder: string): Promise<ReadManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch {
    throw new Error(`${folder} is no whole export: it has no ${MANIFEST} that can be read`);
  }
  try {
    const reader = new RecordReader(JSON.parse(text));
    const format = reader.count('format');
    if (format !== FORMAT) throw new RecordError(`format ${format} is not ${FORMAT}`);
    return {
      format,
      service: reader.text('service'),
      kinds: reader.list('kinds').map(readEntry),
      hash: createHash('sha256').update(text).digest('hex'),
    };
  } catch (error) {
    const reason = error instanceof RecordError ? error.message : 'it is not valid JSON';
    throw new Error(`the ${MANIFEST} of ${folder} cannot be used: ${reason}`, { cause: error });
  }
}
