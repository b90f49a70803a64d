import { type BackupInfo, type BackupTotals } from './archive';
import { readArchive } from './archive-reader';

/** What a backup that is whole holds. */
export type VerifiedBackup = BackupTotals & Pick<BackupInfo, 'startedAt' | 'postgres'>;

/**
 * Reads a backup and compares every file with its checksum; writes nothing.
 *
 * @throws Error in one sentence when it is cut off, changed, or no backup
 */
export async function verifyBackup(file: string, asked: AbortSignal): Promise<VerifiedBackup> {
  const { info, ...totals } = await readArchive(file, {
    begin: () => undefined,
    folder: () => undefined,
    file: async (_place, _path, content) => {
      asked.throwIfAborted();
      // Only its checksum is wanted.
      for await (const _chunk of content);
    },
  });
  return { startedAt: info.startedAt, postgres: info.postgres, ...totals };
}
