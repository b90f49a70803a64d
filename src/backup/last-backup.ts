import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileOf = (dataDir: string): string => join(dataDir, 'last-backup');

/** Remembers that a backup was completed now. */
export async function rememberBackup(dataDir: string): Promise<void> {
  const file = fileOf(dataDir);
  const draft = `${file}.new`;
  await writeFile(draft, `${new Date().toISOString()}\n`);
  await rename(draft, file);
}

/** When the last backup was completed, in ISO 8601; undefined for none or if that is unknown. */
export async function lastBackup(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined);
  const time = text?.trim() ?? '';
  return Number.isNaN(Date.parse(time)) ? undefined : time;
}
