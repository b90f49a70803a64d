import { dirname, isAbsolute } from 'node:path';

/**
 * Hides the folders of the server in texts about a job.
 * @param path of the job: a path for the command line, else a name in `folder`
 * @param folder TRANSFER_DIR as an absolute path
 * @returns a function that shortens the paths in a text to the part below these folders
 */
export function withoutFolders(path: string, folder: string): (text: string) => string {
  const folders = isAbsolute(path) ? [folder, dirname(path)] : [folder];
  const longestFirst = folders.sort((one, other) => other.length - one.length);
  return (text) =>
    longestFirst
      .reduce((left, one) => left.replaceAll(one.endsWith('/') ? one : `${one}/`, ''), text)
      .replaceAll(folder, 'TRANSFER_DIR');
}
