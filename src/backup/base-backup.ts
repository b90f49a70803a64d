import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client } from 'pg';
import { type ArchiveWriter } from './archive-writer';
import { BackupError, DATABASE_FOLDER } from './archive';
import { copyClusterFiles, requireOwnTarget } from './cluster-files';
import { withConnection } from './connection';

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
 * @returns paths below the cluster that were left out, see `copyClusterFiles`
 * @throws Error when the connection is lost, or a file cannot be read
 */
export async function baseBackup(
  url: string,
  cluster: string,
  archive: ArchiveWriter,
  signal: AbortSignal,
): Promise<string[]> {
  return withConnection(url, signal, async (client) => {
    await client.query('SET statement_timeout = 0');
    // The temporary slot makes PostgreSQL keep the write-ahead log until the connection ends.
    await queryOneRow(client, `SELECT pg_create_physical_replication_slot($1, true, true)`, [
      `commonplace_backup_${randomBytes(8).toString('hex')}`,
    ]);
    const { start } = await queryOneRow<{ start: string }>(
      client,
      `SELECT pg_backup_start('commonplace', fast => true)::text AS start`,
    );
    const foreign = await copyClusterFiles(cluster, archive);
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
    return foreign;
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
    if (!(await addLogFile(cluster, name, archive)))
      throw new BackupError(
        `PostgreSQL has removed the WAL segment ${name}, which the backup requires.`,
      );
  }
  const histories = (await readdir(join(cluster, 'pg_wal'))).filter((name) =>
    /^[0-9A-F]{8}\.history$/.test(name),
  );
  for (const name of histories) await addLogFile(cluster, name, archive);
}

/** Adds a file of the write-ahead log. @returns false when it does not exist */
async function addLogFile(cluster: string, name: string, archive: ArchiveWriter): Promise<boolean> {
  const path = join(cluster, 'pg_wal', name);
  await requireOwnTarget(cluster, path);
  return archive.addFile(`${DATABASE_FOLDER}pg_wal/${name}`, path);
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
