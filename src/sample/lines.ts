import { readFile } from 'node:fs/promises';

/** Reads a file of newline-delimited JSON. */
export async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => JSON.parse(row) as T);
}
