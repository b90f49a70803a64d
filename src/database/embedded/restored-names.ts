import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/**
 * Names of restored clusters. Several installations may store theirs in the same folder, so a name
 * contains its owner. `restore-OWNER-ID` is a draft, which the next restore of its owner deletes.
 * It becomes `cluster-OWNER-ID` before the data directory uses it. No restore deletes clusters of that
 * name, or the databases that earlier versions have named `restore-ID`.
 */
const PREFIX = { draft: 'restore', installed: 'cluster' } as const;

const ID = /^[0-9a-f]{16}$/;

/** The part of a name that identifies a data directory. @param dataDir real path */
const ownerOf = (dataDir: string): string =>
  createHash('sha256').update(dataDir).digest('hex').slice(0, 16);

/** The start of the names of a data directory's restored clusters. */
const startOf = (kind: keyof typeof PREFIX, dataDir: string): string =>
  `${PREFIX[kind]}-${ownerOf(dataDir)}-`;

function idOf(kind: keyof typeof PREFIX, name: string, dataDir: string): string | undefined {
  const start = startOf(kind, dataDir);
  const id = name.slice(start.length);
  return name.startsWith(start) && ID.test(id) ? id : undefined;
}

/** A new name of a draft. @param dataDir real path of the data directory */
export const newDraftName = (dataDir: string): string =>
  startOf('draft', dataDir) + randomBytes(8).toString('hex');

/** Whether a name is that of a draft of this data directory. @param dataDir its real path */
export const isDraftName = (name: string, dataDir: string): boolean =>
  idOf('draft', name, dataDir) !== undefined;

/**
 * The path of a draft after its installation, in the same folder.
 *
 * @param dataDir real path of the data directory
 * @throws Error when `draft` is not a draft of this data directory
 */
export function installedPathOf(draft: string, dataDir: string): string {
  const id = idOf('draft', basename(draft), dataDir);
  if (id === undefined) throw new Error(`${draft} is not a restored database of ${dataDir}.`);
  return join(dirname(draft), startOf('installed', dataDir) + id);
}

/**
 * The path of an installed cluster before its installation; undefined when it is not a restored
 * cluster of this data directory.
 *
 * @param dataDir real path of the data directory
 */
export function draftPathOf(installed: string, dataDir: string): string | undefined {
  const id = idOf('installed', basename(installed), dataDir);
  return id === undefined ? undefined : join(dirname(installed), startOf('draft', dataDir) + id);
}
