import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { ScheduledTask } from '../database/scheduled-task';
import { parseName } from './picture-names';
import { PictureStorage } from './picture-storage';

const HOUR_SECONDS = 3600;

/** Files whose rows are looked for at once. */
const BATCH = 500;

// Rows that somebody adds again, or uses, are locked: they are passed over, or found young.
const FORGET = statement(
  'pictures.forget',
  `DELETE FROM pictures WHERE hash IN (
     SELECT p.hash FROM pictures p
     WHERE p.touched_at <= now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash)
     ORDER BY p.hash FOR UPDATE SKIP LOCKED)`,
);

const KNOWN = statement(
  'pictures.known',
  `SELECT encode(hash, 'hex') AS hash FROM pictures
   WHERE hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
);

// While files are removed, a row in their place that nobody ever sees keeps the same picture from
// being stored: who stores one adds its row first, and waits for this one to be gone.
const CLAIM = statement(
  'pictures.claim',
  `INSERT INTO pictures (hash, extension, width, height, bytes)
   VALUES (decode($1, 'hex'), '', 0, 0, 0) ON CONFLICT (hash) DO NOTHING RETURNING 1`,
);
const LEAVE = statement('pictures.leave', "DELETE FROM pictures WHERE hash = decode($1, 'hex')");

/** Removes pictures that nothing shows, and files that belong to no picture. */
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
   * Removes what nothing has shown for a while. Any number of processes may do it at once, while
   * pictures are stored and used.
   *
   * @param grace seconds that a picture without a use, and a file without a picture, are left alone
   * @param signal ends it between two batches, with its reason
   * @returns files that were removed
   */
  async sweep(grace: number = HOUR_SECONDS, signal?: AbortSignal): Promise<number> {
    await this.database.query(FORGET, [grace]);
    const oldest = Date.now() - grace * 1000;
    let removed = 0;
    let batch: string[] = [];
    for await (const { name, modified } of this.storage.list()) {
      if (modified.getTime() > oldest) continue;
      batch.push(name);
      if (batch.length < BATCH) continue;
      signal?.throwIfAborted();
      removed += await this.clear(batch);
      batch = [];
    }
    return removed + (await this.clear(batch));
  }

  /** Removes those of some old files that belong to no picture. @returns how many there were */
  private async clear(names: readonly string[]): Promise<number> {
    const ofPicture = new Map<string, string[]>();
    let removed = 0;
    for (const name of names) {
      const hash = parseName(name)?.hash;
      if (hash === undefined) {
        // Left over from writing, which takes no such time: nobody else knows it.
        await this.storage.remove(name);
        removed += 1;
      } else {
        ofPicture.set(hash, [...(ofPicture.get(hash) ?? []), name]);
      }
    }
    if (ofPicture.size === 0) return removed;
    const known = await this.database.query<{ hash: string }>(KNOWN, [[...ofPicture.keys()]]);
    for (const { hash } of known) ofPicture.delete(hash);
    for (const [hash, files] of ofPicture) removed += await this.removeFiles(hash, files);
    return removed;
  }

  private removeFiles(hash: string, files: readonly string[]): Promise<number> {
    // Removing a file is more than a statement, but can be done again.
    return this.database.transaction(async (runner) => {
      const [claimed] = await runner.query(CLAIM, [hash]);
      if (!claimed) return 0;
      for (const file of files) await this.storage.remove(file);
      await runner.query(LEAVE, [hash]);
      return files.length;
    });
  }
}
