import { type BackupInfo, type BackupTotals } from './archive';
import { readArchive } from './archive-reader';

/** The metadata of a valid backup. */
export type VerifiedBackup = BackupTotals & Pick<BackupInfo, 'startedAt' | 'postgres'>;

/**
 * Reads a backup and compares every file with its checksum; writes no files.
 * @throws Error when it is incomplete, damaged, or not a backup
 */
export async function verifyBackup(file: string, signal: AbortSignal): Promise<VerifiedBackup> {
  const { info, ...totals } = await readArchive(file, {
    begin: () => undefined,
    folder: () => undefined,
    file: async (_place, _path, content) => {
      signal.throwIfAborted();
      // Only the checksum is needed.
      for await (const _chunk of content);
    },
  });
  return { startedAt: info.startedAt, postgres: info.postgres, ...totals };
}
