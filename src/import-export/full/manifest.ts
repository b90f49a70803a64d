import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordError, RecordReader } from '../engine/record';

export const MANIFEST = 'manifest.json';

/**
 * Format version of the folder, raised for incompatible changes. A new kind does not need a new
 * version, because older versions reject folders with unsupported kinds.
 */
export const FORMAT = 1;

/** One file of a full export. */
export interface ManifestEntry {
  readonly kind: string;
  /** File name, `NN-kind.ndjson.gz`. */
  readonly file: string;
  /** Number of lines, one record each. */
  readonly records: number;
  /** Size of the lines in bytes, and their SHA-256 in hexadecimal. */
  readonly bytes: number;
  readonly sha256: string;
  /** Size and SHA-256 of the compressed file. */
  readonly gz_bytes: number;
  readonly gz_sha256: string;
}

/** The manifest of a full export. It is written last, so a folder with a manifest is complete. */
export interface Manifest {
  readonly format: number;
  /** Version of the service that wrote it. */
  readonly service: string;
  readonly kinds: readonly ManifestEntry[];
}

/** A manifest and its hash. */
export interface ReadManifest extends Manifest {
  /** SHA-256 of the manifest file. */
  readonly hash: string;
}

/** Maximum number of files: file names start with two digits. Job lists show each file. */
const MAX_FILES = 100;

/** File names in full exports; while a file is written, its name is that of `writeFinished`. */
export const FILE_NAME = /^\d{2}-[a-z][a-z-]{0,40}\.ndjson\.gz$/;

const sha256 = (reader: RecordReader, name: string): string => {
  const hash = reader.requiredText(name);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RecordError(`${name} must be a SHA-256`);
  return hash;
};

function readEntry(value: unknown): ManifestEntry {
  const reader = new RecordReader(value, 'kinds');
  const file = reader.requiredText('file');
  if (!FILE_NAME.test(file)) throw new RecordError(`kinds.file is not a valid file name: ${file}`);
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
 * Reads the manifest of a folder.
 * @throws Error with the reason the folder is not a supported full export
 */
export async function readManifest(folder: string): Promise<ReadManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch {
    throw new Error(`${folder} is not a full export: it has no readable ${MANIFEST}`);
  }
  try {
    const reader = new RecordReader(JSON.parse(text));
    const format = reader.count('format');
    if (format !== FORMAT)
      throw new RecordError(
        `format ${format} is not supported; this version reads format ${FORMAT}`,
      );
    const kinds = reader.list('kinds');
    if (kinds.length > MAX_FILES)
      throw new RecordError(`kinds must have at most ${MAX_FILES} entries`);
    return {
      format,
      service: reader.text('service'),
      kinds: kinds.map(readEntry),
      hash: createHash('sha256').update(text).digest('hex'),
    };
  } catch (error) {
    const reason = error instanceof RecordError ? error.message : 'it is not valid JSON';
    throw new Error(`the ${MANIFEST} of ${folder} cannot be used: ${reason}`, { cause: error });
  }
}
