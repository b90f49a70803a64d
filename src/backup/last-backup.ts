import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileOf = (dataDir: string): string => join(dataDir, 'last-backup');

/** Remembers that a backup was completed now. */
export async function rememberBackup(dataDir: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${new Date().toISOString()}\n`);
}

/** When the last backup was completed, in ISO 8601; undefined for none. */
export async function lastBackup(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined);
  return text?.trim();
}
