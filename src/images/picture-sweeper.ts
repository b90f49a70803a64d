import { types } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { type OnLate } from '../api/body/disk-operations';
import { ApiError } from '../api/errors/error-codes';
import { isFileError } from '../api/errors/file-errors';
import { Database, statement } from '../database/database';
import { ScheduledTask } from '../database/scheduled-task';
import { requireMounted } from './mounted-pictures';
import { parseName } from './picture-names';
import { forgetEndedRemovals, OngoingRemoval } from './picture-removals';
import { PictureStorage, type ListedFile } from './picture-storage';

const HOUR_SECONDS = 3600;

/** Files to check per query. */
const BATCH = 500;

/**
 * Maximum number of rows that a statement checks for uses. The statement must end well before the
 * statement timeout of servers, even if it deletes all of them.
 */
const MAX_ROWS = 5000;

// Rows that another transaction adds or uses are locked: they are skipped, or found to be recent.
// Reads the page from the index of the primary key, and only rows without uses. Returns the last
// hash of a full page; no row after the last page.
const DELETE_UNUSED = statement(
  'pictures.delete_unused',
  `WITH page AS MATERIALIZED (
     SELECT hash FROM pictures WHERE hash > decode($2, 'hex') ORDER BY hash LIMIT ${MAX_ROWS}
   ), unused AS (
     DELETE FROM pictures WHERE ctid = ANY(ARRAY(
       SELECT p.ctid FROM pictures p
       WHERE p.hash = ANY(ARRAY(SELECT hash FROM page
           WHERE NOT EXISTS (SELECT FROM picture_uses u WHERE u.hash = page.hash)))
         AND p.last_referenced_at <= now() - make_interval(secs => $1)
       ORDER BY p.hash FOR UPDATE SKIP LOCKED))
     RETURNING hash
   ), remembered AS (
     INSERT INTO deleted_pictures (hash) SELECT hash FROM unused ORDER BY hash
     ON CONFLICT (hash) DO UPDATE SET deleted_at = excluded.deleted_at
   )
   SELECT encode(hash, 'hex') AS last FROM page ORDER BY hash OFFSET ${MAX_ROWS - 1}`,
);

// Pictures that were stored again after they were deleted are among both.
const FIND_STATES = statement(
  'pictures.find_states',
  `SELECT h AS hash, p.hash IS NOT NULL AS stored,
     extract(epoch FROM d.deleted_at)::float8 * 1000 AS "deletedAt"
   FROM unnest($1::text[]) h
   LEFT JOIN pictures p ON p.hash = decode(h, 'hex')
   LEFT JOIN deleted_pictures d ON d.hash = decode(h, 'hex')`,
);

// A deletion whose end was not known, or that hung, is repeated for a day; one that failed, until it
// succeeds.
const PRUNE_DELETED = statement(
  'pictures.prune_deleted',
  `DELETE FROM deleted_pictures WHERE hash IN (
     SELECT hash FROM deleted_pictures WHERE deleted_at < now() - interval '1 day'
       AND hash NOT IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)
     ORDER BY hash FOR UPDATE)`,
);

interface PictureState {
  readonly hash: string;
  readonly stored: boolean;
  /** Milliseconds since 1970; null unless it was deleted in the last day, or its files remain. */
  readonly deletedAt: number | null;
}

/** The result of {@link PictureSweeper.sweep}. */
export interface SweepResult {
  /** Number of deleted files. */
  readonly removed: number;
  /**
   * Number of files older than the grace that have neither a row nor a deletion of the last day, and
   * were kept.
   */
  readonly unknown: number;
  /** Number of files that could not be deleted; omitted if there are none. */
  readonly failed?: number;
}

/** What one run has done so far. */
class Sweep {
  removed = 0;
  unknown = 0;
  failed = 0;
  /** Hashes of deleted pictures with files that remain. */
  readonly remaining = new Set<string>();
  private firstFailure = '';

  /**
   * Counts a failure that concerns one file, such as EACCES.
   * @throws the error if the storage is unavailable
   */
  addFailure(error: unknown): void {
    const cause = error instanceof ApiError ? error.cause : error;
    if (!isFileError(cause) && !isFolderError(cause)) throw error;
    if (this.failed === 0) this.firstFailure = cause.message;
    this.failed += 1;
  }

  get warning(): string | undefined {
    if (this.failed === 0) return undefined;
    return `${this.failed} picture files could not be deleted, the first with ${this.firstFailure}`;
  }

  get result(): SweepResult {
    const { removed, unknown, failed } = this;
    return { removed, unknown, ...(failed > 0 && { failed }) };
  }
}

/** Whether `rm` found a folder with the name of a file. */
const isFolderError = (error: unknown): error is Error =>
  types.isNativeError(error) && (error as NodeJS.ErrnoException).code === 'ERR_FS_EISDIR';

/** Options of {@link PictureSweeper.sweep}. */
export interface SweepOptions {
  /** Time before an unused picture or an incomplete file is deleted; an hour by default. */
  readonly graceSeconds?: number;
  /** Stops it between two batches of rows or files, or pages of the list, with its reason. */
  readonly signal?: AbortSignal;
  /** Whether to delete unknown files, too. */
  readonly deleteUnknown?: boolean;
}

/**
 * Deletes unused pictures, and incomplete files. It keeps other files without a row: if a server is
 * started with the wrong database, for example because the disk of its own is not mounted, no picture of
 * the right one has a row. The files of uploads have a row before they are stored. Those of an import
 * that failed, and is not repeated, are kept too.
 */
@Injectable()
export class PictureSweeper extends ScheduledTask {
  override readonly taskName = 'unused-pictures';
  private readonly logger = new Logger(PictureSweeper.name);
  /** Unknown files of the last run. */
  private unknown = 0;

  constructor(
    private readonly database: Database,
    private readonly storage: PictureStorage,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { unknown } = await this.sweep({ signal });
    if (unknown > 0 && unknown !== this.unknown) {
      this.logger.warn(
        `${unknown} picture files have no row in this database and were kept; "picture sweep --unknown" deletes them`,
      );
    }
    this.unknown = unknown;
  }

  /**
   * Deletes pictures without a recent use. Several processes may run it concurrently with uploads.
   * It logs how many files could not be deleted.
   * @throws ApiError 999 with 503 when the storage is unavailable or not mounted, also if it is
   *   unmounted meanwhile
   */
  async sweep({
    graceSeconds = HOUR_SECONDS,
    signal,
    deleteUnknown = false,
  }: SweepOptions = {}): Promise<SweepResult> {
    // Otherwise it would forget what it has to delete.
    const folder = await this.storage.findFolderId();
    const mayBeUnmounted = await requireMounted(this.storage, this.database);
    await forgetEndedRemovals(this.database);
    await this.deleteUnused(graceSeconds, signal);
    const oldest = Date.now() - graceSeconds * 1000;
    const sweep = new Sweep();
    let batch: ListedFile[] = [];
    const sweepBatch = async (): Promise<void> => {
      signal?.throwIfAborted();
      await this.clear(batch, deleteUnknown, sweep);
      batch = [];
    };
    for await (const file of this.storage.list(signal)) {
      if (file.modified.getTime() > oldest) continue;
      batch.push(file);
      if (batch.length >= BATCH) await sweepBatch();
    }
    await sweepBatch();
    // Files that are missing count as deleted.
    await this.storage.requireSameFolder(folder);
    if (!mayBeUnmounted) await this.database.query(PRUNE_DELETED, [[...sweep.remaining]]);
    if (sweep.warning !== undefined) this.logger.warn(sweep.warning);
    return sweep.result;
  }

  /** Deletes the rows of unused pictures, in the order of their hashes. */
  private async deleteUnused(graceSeconds: number, signal: AbortSignal | undefined): Promise<void> {
    let last: string | undefined = '';
    do {
      signal?.throwIfAborted();
      const rows: { last: string }[] = await this.database.query(DELETE_UNUSED, [
        graceSeconds,
        last,
      ]);
      last = rows[0]?.last;
    } while (last !== undefined);
  }

  /** Deletes what is to be deleted of some old files. */
  private async clear(
    batch: readonly ListedFile[],
    deleteUnknown: boolean,
    sweep: Sweep,
  ): Promise<void> {
    const filesByHash = new Map<string, ListedFile[]>();
    for (const file of batch) {
      const hash = parseName(file.name)?.hash;
      if (hash === undefined) {
        // An old incomplete file is a leftover, because writing is fast.
        await this.remove(file.name, sweep);
      } else {
        filesByHash.set(hash, [...(filesByHash.get(hash) ?? []), file]);
      }
    }
    if (filesByHash.size === 0) return;
    const known = await this.database.query<PictureState>(FIND_STATES, [[...filesByHash.keys()]]);
    for (const { hash, stored, deletedAt } of known) {
      if (stored) continue;
      const files = filesByHash.get(hash) ?? [];
      // A later file belongs to another database, such as the one that a restored backup replaced.
      const isDeleted = ({ modified }: ListedFile) =>
        modified.getTime() <= (deletedAt ?? -Infinity);
      const deletable = deleteUnknown ? files : files.filter(isDeleted);
      sweep.unknown += files.length - deletable.length;
      if (deletable.length === 0) continue;
      if (!(await this.removeFiles(hash, deletable, sweep))) sweep.remaining.add(hash);
    }
  }

  /** @returns false if the file remains, or its deletion may take effect later */
  private async remove(name: string, sweep: Sweep, onLate?: OnLate): Promise<boolean> {
    try {
      const isCertain = await this.storage.delete(name, onLate);
      sweep.removed += 1;
      return isCertain;
    } catch (error) {
      sweep.addFailure(error);
      return false;
    }
  }

  /**
   * If an attempt of a deletion fails, the picture cannot be stored for some minutes, because its end is not
   * known. If it takes too long, the picture cannot be stored until it has ended. A later run
   * deletes the rest.
   * @returns whether all files are deleted
   */
  private async removeFiles(
    hash: string,
    files: readonly ListedFile[],
    sweep: Sweep,
  ): Promise<boolean> {
    const removal = await OngoingRemoval.begin(this.database, hash);
    if (!removal) return false;
    let areCertain = true;
    for (const { name } of files) {
      if (!(await removal.mayDelete())) return false;
      const isCertain = await this.remove(name, sweep, (ended) => {
        removal.renewUntil(ended);
      });
      areCertain &&= isCertain;
    }
    if (areCertain) await removal.end();
    return areCertain;
  }
}
