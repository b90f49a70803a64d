import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import {
  BackupError,
  type BackupInfo,
  type BackupTotals,
  COMPLETE,
  DATABASE_FOLDER,
  FORMAT,
  INFO,
  isEntryName,
  PICTURES_FOLDER,
  SUMS,
  sumLine,
} from './archive';

/** Maximum size of the metadata entries in bytes; the checksum list has no such limit. */
const MAX_INFO = 65_536;

/** Receives the entries of an archive in order. */
export interface ArchiveSink {
  /** Called first. An exception ends the reading. */
  begin(info: BackupInfo): Promise<void> | void;
  /** An empty folder, relative to the cluster. */
  folder(path: string): Promise<void> | void;
  /** A file; the sink must read all of `content`. */
  file(place: 'database' | 'pictures', path: string, content: AsyncIterable<Buffer>): Promise<void>;
}

/** A complete and valid archive. */
export interface ReadArchive extends BackupTotals {
  readonly info: BackupInfo;
}

/**
 * Reads a backup and compares every file with its checksum. The sink must not trust any data before
 * this function returns.
 * @throws BackupError when the archive is incomplete, damaged, or not a backup; the exception of
 *   the sink
 */
export async function readArchive(path: string, sink: ArchiveSink): Promise<ReadArchive> {
  await requireReadable(path);
  const tar = extract();
  const feeding = pipeline(createReadStream(path), createGunzip(), tar);
  feeding.catch(() => undefined);
  const reader = new Reader(sink);
  try {
    for await (const entry of tar as AsyncIterable<Entry>) await reader.read(entry);
    await feeding;
  } catch (error) {
    tar.destroy();
    // An entry that is read after the end of a cut archive does not say why it was destroyed.
    const isEffect = (error as Error).message === 'Stream was destroyed';
    const cause: unknown = isEffect ? await feeding.catch((reason: unknown) => reason) : error;
    throw explained((cause ?? error) as NodeJS.ErrnoException, path);
  }
  return reader.end();
}

/**
 * @throws BackupError for a named pipe or a device: opening it may never end, and would keep the
 *   process from ending. A pipe of the shell, such as `<(age -d FILE)`, has no path of its own.
 */
async function requireReadable(path: string): Promise<void> {
  const stats = await stat(path);
  if (stats.isFile()) return;
  const isNamed = await realpath(path).then(
    () => true,
    () => false,
  );
  if (isNamed || !stats.isFIFO()) throw new BackupError(`${path} is not a regular file.`);
}

/** Describes an error of the compression or the archive format. */
function explained(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code?.startsWith('Z_') || /^(Invalid tar|Unexpected end)/.test(error.message)) {
    return new BackupError(`${path} is damaged, incomplete, or not a backup (${error.message}).`);
  }
  return error;
}

/** Maximum length of a line of the checksums: the digest and a path. */
const MAX_SUM_LINE = 10_000;

class Reader {
  private info: BackupInfo | undefined;
  private totals: BackupTotals | undefined;
  private checked = false;
  private readonly lines: string[] = [];

  constructor(private readonly sink: ArchiveSink) {}

  async read(entry: Entry): Promise<void> {
    const { name, type } = entry.header;
    if (name === INFO) await this.begin(await textOf(entry));
    else if (!this.info) throw new BackupError('The archive is not a backup of this service.');
    else if (name === SUMS) await this.compare(entry);
    else if (name === COMPLETE) this.totals = JSON.parse(await textOf(entry)) as BackupTotals;
    else if (type === 'directory') await this.folder(entry, name);
    else await this.file(entry, name);
  }

  end(): ReadArchive {
    if (!this.info || !this.checked || !this.totals || this.totals.files !== this.lines.length) {
      throw new BackupError('The backup is incomplete: it was cut off, or never finished.');
    }
    return { info: this.info, ...this.totals };
  }

  private async begin(text: string): Promise<void> {
    const info = JSON.parse(text) as BackupInfo;
    if (info.format !== FORMAT) {
      throw new BackupError(`The backup has format ${info.format}; this version reads ${FORMAT}.`);
    }
    this.info = info;
    this.lines.push(sumLine(createHash('sha256').update(text).digest('hex'), INFO));
    await this.sink.begin(info);
  }

  private async folder(entry: Entry, name: string): Promise<void> {
    const [, path] = placeOf(name.replace(/\/$/, ''));
    entry.resume();
    await this.sink.folder(path);
  }

  private async file(entry: Entry, name: string): Promise<void> {
    const [place, path] = placeOf(name);
    if (entry.header.type !== 'file') throw new BackupError(`The backup contains a link: ${name}.`);
    const hash = createHash('sha256');
    const content = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await this.sink.file(place, path, content());
    this.lines.push(sumLine(hash.digest('hex'), name));
  }

  private async compare(entry: Entry): Promise<void> {
    let line = '';
    let at = 0;
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      const pieces = (line + chunk.toString('utf8')).split(/(?<=\n)/);
      line = pieces.at(-1)?.endsWith('\n') ? '' : (pieces.pop() ?? '');
      if (line.length > MAX_SUM_LINE) throw new BackupError('The list of checksums is damaged.');
      for (const piece of pieces) {
        const name = this.lines[at]?.split('  ')[1]?.trim();
        if (piece !== this.lines[at]) {
          throw new BackupError(
            `The backup is damaged: ${name ?? 'a file'} does not match its checksum.`,
          );
        }
        at += 1;
      }
    }
    if (at !== this.lines.length || line !== '') {
      throw new BackupError('The backup is damaged: its files differ from its list of files.');
    }
    this.checked = true;
  }
}

/**
 * The destination of an entry. @throws BackupError for other names, so that no file is written
 * elsewhere
 */
function placeOf(name: string): ['database' | 'pictures', string] {
  for (const [place, folder] of [
    ['database', DATABASE_FOLDER],
    ['pictures', PICTURES_FOLDER],
  ] as const) {
    const path = name.slice(folder.length);
    const isPlain = path.split('/').every(isEntryName);
    if (name.startsWith(folder) && isPlain) return [place, path];
  }
  throw new BackupError(`The backup contains an unexpected file: ${JSON.stringify(name)}.`);
}

async function textOf(entry: Entry): Promise<string> {
  const { size = 0, name } = entry.header;
  if (size > MAX_INFO) throw new BackupError(`The backup's ${name} is too large.`);
  const chunks: Buffer[] = [];
  for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
