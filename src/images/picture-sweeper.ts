import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { ScheduledTask } from '../database/scheduled-task';
import { parseName } from './picture-names';
import { forgetEndedRemovals, OngoingRemoval } from './picture-removals';
import { PictureStorage } from './picture-storage';

const HOUR_SECONDS = 3600;

/** Files to check per query. */
const BATCH = 500;

// Rows that another transaction adds or uses are locked: they are skipped, or found to be recent.
const FORGET = statement(
  'pictures.forget',
  `DELETE FROM pictures WHERE hash IN (
     SELECT p.hash FROM pictures p
     WHERE p.last_referenced_at <= now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash)
     ORDER BY p.hash FOR UPDATE SKIP LOCKED)`,
);

const STORED = statement(
  'pictures.stored',
  `SELECT encode(hash, 'hex') AS hash FROM pictures
   WHERE hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
);

/** Deletes unused pictures and orphaned files. */
@Injectable()
export class PictureSweeper extends ScheduledTask {
  override readonly taskName = 'unused-pictures';

  constructor(
    private readonly database: Database,
    private readonly storage: PictureStorage,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await this.sweep(HOUR_SECONDS, signal);
  }

  /**
   * Deletes pictures without a recent use. Several processes may run it concurrently with uploads.
   * @param grace seconds before an unused picture or an orphaned file is deleted
   * @param signal stops it between two batches or pages of the list, with its reason
   * @returns number of deleted files
   */
  async sweep(grace: number = HOUR_SECONDS, signal?: AbortSignal): Promise<number> {
    await forgetEndedRemovals(this.database);
    await this.database.query(FORGET, [grace]);
    const oldest = Date.now() - grace * 1000;
    let removed = 0;
    let batch: string[] = [];
    for await (const { name, modified } of this.storage.list(signal)) {
      if (modified.getTime() > oldest) continue;
      batch.push(name);
      if (batch.length < BATCH) continue;
      signal?.throwIfAborted();
      removed += await this.clear(batch);
      batch = [];
    }
    signal?.throwIfAborted();
    return removed + (await this.clear(batch));
  }

  /** Deletes orphans among some old files. @returns the number of deleted files */
  private async clear(names: readonly string[]): Promise<number> {
    const ofPicture = new Map<string, string[]>();
    let removed = 0;
    for (const name of names) {
      const hash = parseName(name)?.hash;
      if (hash === undefined) {
        // An old incomplete file is a leftover, because writing is fast.
        await this.storage.delete(name);
        removed += 1;
      } else {
        ofPicture.set(hash, [...(ofPicture.get(hash) ?? []), name]);
      }
    }
    if (ofPicture.size === 0) return removed;
    const stored = await this.database.query<{ hash: string }>(STORED, [[...ofPicture.keys()]]);
    for (const { hash } of stored) ofPicture.delete(hash);
    for (const [hash, files] of ofPicture) removed += await this.removeFiles(hash, files);
    return removed;
  }

  /**
   * If an attempt of a deletion fails, the picture cannot be stored for some minutes, because its end is not
   * known. If it takes too long, the picture cannot be stored until it has ended. A later run
   * deletes the rest.
   */
  private async removeFiles(hash: string, files: readonly string[]): Promise<number> {
    const removal = await OngoingRemoval.begin(this.database, hash);
    if (!removal) return 0;
    let removed = 0;
    let areCertain = true;
    for (const file of files) {
      if (!(await removal.mayDelete())) return removed;
      const isCertain = await this.storage.delete(file, (ended) => {
        removal.renewUntil(ended);
      });
      areCertain &&= isCertain;
      removed += 1;
    }
    if (areCertain) await removal.end();
    return removed;
  }
}
