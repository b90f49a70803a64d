import { dirname, isAbsolute } from 'node:path';

/**
 * What is said of a job, without the folders of this machine that its files are in.
 *
 * @param place of the job: a path of the command line's, else a name in `folder`
 * @param folder TRANSFER_DIR as an absolute path
 * @returns a function that leaves of each path in a text what stands below these folders
 */
export function withoutFolders(place: string, folder: string): (text: string) => string {
  const folders = isAbsolute(place) ? [folder, dirname(place)] : [folder];
  const longestFirst = folders.sort((one, other) => other.length - one.length);
  return (text) =>
    longestFirst
      .reduce((left, one) => left.replaceAll(one.endsWith('/') ? one : `${one}/`, ''), text)
      .replaceAll(folder, 'TRANSFER_DIR');
}
