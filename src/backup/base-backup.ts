import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client } from 'pg';
import { type ArchiveWriter } from './archive-writer';
import { BackupError, DATABASE_FOLDER } from './archive';
import { withConnection } from './connection';

/** Folders whose content PostgreSQL recreates at startup (as in pg_basebackup). */
const WITHOUT_CONTENT = new Set([
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'],
  ...['pg_subtrans', 'pg_wal'],
]);

/** Files of the running server or of another backup (as in pg_basebackup). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles|postgresql\.auto\.conf\.tmp|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+(_\w+)?(\.\d+)?)$/;

/** Copied last, because it must not be older than the other files. */
const CONTROL_FILE = 'global/pg_control';
/** Maximum number of reads until two consecutive ones are equal. */
const CONTROL_TRIES = 100;

/** The range of the write-ahead log that makes the copied files consistent. */
interface LogRange {
  readonly start: string;
  readonly stop: string;
}

/**
 * Copies the cluster of a running server into an archive, with the write-ahead log that makes the
 * copy consistent. The manual of PostgreSQL describes the method ("Making a Base Backup Using the
 * Low Level API"), which needs no client program. The copy contains everything committed before
 * this function starts, and until all files are copied.
 * @param url of the server's database, for a superuser
 * @param cluster path of its files on this machine
 * @param signal closes the connection when aborted, also when the server does not respond
 * @throws Error when the connection is lost, or a file cannot be read
 */
export async function baseBackup(
  url: string,
  cluster: string,
  archive: ArchiveWriter,
  signal: AbortSignal,
): Promise<void> {
  await withConnection(url, signal, async (client) => {
    await client.query('SET statement_timeout = 0');
    // The temporary slot makes PostgreSQL keep the write-ahead log until the connection ends.
    await queryOneRow(client, `SELECT pg_create_physical_replication_slot($1, true, true)`, [
      `commonplace_backup_${randomBytes(8).toString('hex')}`,
    ]);
    const { start } = await queryOneRow<{ start: string }>(
      client,
      `SELECT pg_backup_start('commonplace', fast => true)::text AS start`,
    );
    await copyFolder(cluster, '', archive);
    await copyControlFile(cluster, archive);
    const { stop, label, map } = await queryOneRow<{
      stop: string;
      label: string;
      map: string | null;
    }>(
      client,
      `SELECT lsn::text AS stop, labelfile AS label, spcmapfile AS map
         FROM pg_backup_stop(wait_for_archive => false)`,
    );
    if (map) throw new BackupError('Databases with tablespaces cannot be backed up.');
    await archive.addText(`${DATABASE_FOLDER}backup_label`, label);
    await copyLog(client, cluster, { start, stop }, archive);
  });
}

async function queryOneRow<Row extends object>(
  client: Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  if (!rows[0]) throw new Error(`no row: ${text}`);
  return rows[0];
}

/** @param folder path below the cluster, '' for the cluster itself */
async function copyFolder(cluster: string, folder: string, archive: ArchiveWriter): Promise<void> {
  const entries = await readdir(join(cluster, folder), { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.test(entry.name) || isUnlogged(entry.name, names)) continue;
    if (entry.isDirectory()) {
      await archive.addFolder(`${DATABASE_FOLDER}${path}/`);
      if (!WITHOUT_CONTENT.has(path)) await copyFolder(cluster, path, archive);
      else if (path === 'pg_wal') await addLogFolders(archive);
    } else if (entry.isFile() && path !== CONTROL_FILE) {
      // A table may be dropped meanwhile; the write-ahead log contains the drop.
      await archive.addFile(DATABASE_FOLDER + path, join(cluster, path));
    }
  }
}

async function addLogFolders(archive: ArchiveWriter): Promise<void> {
  for (const name of ['archive_status', 'summaries']) {
    await archive.addFolder(`${DATABASE_FOLDER}pg_wal/${name}/`);
  }
}

/**
 * Whether a file belongs to an unlogged table, which is empty after recovery: only its init fork is
 * needed.
 */
function isUnlogged(name: string, names: ReadonlySet<string>): boolean {
  const [, relation] = /^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/.exec(name) ?? [];
  return relation !== undefined && names.has(`${relation}_init`);
}

/** The server may write the file concurrently, so two consecutive reads must be equal. */
async function copyControlFile(cluster: string, archive: ArchiveWriter): Promise<void> {
  const path = join(cluster, CONTROL_FILE);
  let last = await readFile(path);
  for (let tries = 0; tries < CONTROL_TRIES; tries++) {
    const next = await readFile(path);
    if (next.equals(last)) {
      await archive.addBytes(DATABASE_FOLDER + CONTROL_FILE, next);
      return;
    }
    last = next;
  }
  throw new BackupError(`${path} changes all the time.`);
}

/** Copies the write-ahead log from the start to the end of the backup. */
async function copyLog(
  client: Client,
  cluster: string,
  { start, stop }: LogRange,
  archive: ArchiveWriter,
): Promise<void> {
  const { size, timeline } = await queryOneRow<{ size: string; timeline: number }>(
    client,
    `SELECT (SELECT setting FROM pg_settings WHERE name = 'wal_segment_size') AS size,
            timeline_id AS timeline FROM pg_control_checkpoint()`,
  );
  for (const name of segmentNames({ start, stop }, BigInt(size), timeline)) {
    const copied = await archive.addFile(
      `${DATABASE_FOLDER}pg_wal/${name}`,
      join(cluster, 'pg_wal', name),
    );
    if (!copied)
      throw new BackupError(
        `PostgreSQL has removed the WAL segment ${name}, which the backup requires.`,
      );
  }
  const histories = (await readdir(join(cluster, 'pg_wal'))).filter((name) =>
    /^[0-9A-F]{8}\.history$/.test(name),
  );
  for (const name of histories) {
    await archive.addFile(`${DATABASE_FOLDER}pg_wal/${name}`, join(cluster, 'pg_wal', name));
  }
}

/**
 * File names of a range of the write-ahead log.
 * @param size size of a file in bytes
 */
export function segmentNames({ start, stop }: LogRange, size: bigint, timeline: number): string[] {
  const perLog = 0x1_0000_0000n / size;
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0');
  const names: string[] = [];
  // `stop` itself is excluded.
  for (let at = positionOf(start) / size; at <= (positionOf(stop) - 1n) / size; at += 1n) {
    names.push(hex(BigInt(timeline)) + hex(at / perLog) + hex(at % perLog));
  }
  return names;
}

/** Converts a position such as `0/16B3740` into a byte number. */
function positionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
