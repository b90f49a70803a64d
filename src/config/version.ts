import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in `package.json`, which is some folders above this file, compiled or not. */
export function version(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { version: found } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        version?: string;
      };
      if (found !== undefined) return found;
    } catch {
      // The file is in a folder above.
    }
  }
  return 'unknown';
}
