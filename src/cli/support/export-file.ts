import { createWriteStream } from 'node:fs';
import { chmod, realpath, stat } from 'node:fs/promises';
import { writeTexts } from '../../import-export/engine/text-output';
import { writeFinished } from '../../import-export/engine/unfinished-file';

/**
 * Writes an export to a file, compressed if its name ends in `.gz`. An existing file is replaced when
 * the export is complete, and keeps its mode. A new file is readable by its owner only. Pipes and
 * devices are written directly.
 *
 * @throws Error when the file cannot be written, or of `pieces`; an existing file is unchanged then
 */
export async function writeExportFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile()) {
    await writeTexts(pieces, path, createWriteStream(path));
    return;
  }
  const mode = existing ? existing.mode & 0o777 : 0o600;
  await writeFinished(
    existing ? await realpath(path) : path,
    async (unfinished) => {
      try {
        const target = createWriteStream(unfinished, { flags: 'wx', flush: true, mode });
        await writeTexts(pieces, path, target);
      } catch (error) {
        // Errors name the file that was asked for.
        if ((error as NodeJS.ErrnoException).path === unfinished)
          Object.assign(error as Error, { path });
        throw error;
      }
      // The process's mask applies to new files.
      if (existing) await chmod(unfinished, mode);
    },
    () => undefined,
    true,
  );
}
