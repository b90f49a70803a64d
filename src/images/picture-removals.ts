import { unavailable } from '../api/errors/error-codes';
import { statement, type Database, type SqlExecutor } from '../database/database';

/**
 * Minutes for which a picture cannot be stored when the end of its deletion is not known: a bucket
 * may delete a file after it was given up, and a paused process may go on.
 */
const MINUTES = 10;
/** Minutes before that end in which no deletion of a file begins: it has this time to take effect. */
const LAST_MINUTES = 5;

/**
 * A row that ends later than these minutes is from before the clock of PostgreSQL was set back. Small
 * corrections of the clock do not reach twice the time of a removal.
 */
const MAX_MINUTES = 2 * MINUTES;

/** Milliseconds between two renewals of the row while a deletion hangs. */
const RENEWAL_MS = 60_000;

/** SQL: whether a removal has ended, or ends too late. @param endsAt SQL of its end */
const hasEnded = (endsAt: string): string =>
  `${endsAt} NOT BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(mins => ${MAX_MINUTES})`;

// A row with the same hash waits for this transaction, and then finds the removal. An existing row
// means that the picture is stored.
const LOCK = statement(
  'picture_removals.lock',
  `INSERT INTO pictures (hash, extension, width, height, bytes)
   VALUES (decode($1, 'hex'), '', 0, 0, 0) ON CONFLICT (hash) DO NOTHING RETURNING 1`,
);
const UNLOCK = statement(
  'picture_removals.unlock',
  `DELETE FROM pictures WHERE hash = decode($1, 'hex')`,
);

const BEGIN = statement(
  'picture_removals.begin',
  `INSERT INTO picture_removals AS r (hash, ends_at)
   VALUES (decode($1, 'hex'), clock_timestamp() + make_interval(mins => ${MINUTES}))
   ON CONFLICT (hash) DO UPDATE SET ends_at = excluded.ends_at WHERE ${hasEnded('r.ends_at')}
   RETURNING ends_at::text AS ends_at`,
);

const MAY_DELETE = statement(
  'picture_removals.may_delete',
  `SELECT 1 FROM picture_removals WHERE hash = decode($1, 'hex') AND ends_at = $2::timestamptz
     AND ends_at > clock_timestamp() + make_interval(mins => ${LAST_MINUTES})
     AND NOT (${hasEnded('ends_at')})`,
);

// The response to an earlier renewal may have been lost.
const RENEW = statement(
  'picture_removals.renew',
  `UPDATE picture_removals SET ends_at = clock_timestamp() + make_interval(mins => ${MINUTES})
   WHERE hash = decode($1, 'hex') AND ends_at >= $2::timestamptz AND ends_at > clock_timestamp()
   RETURNING ends_at::text AS ends_at`,
);

const END = statement(
  'picture_removals.end',
  `DELETE FROM picture_removals WHERE hash = decode($1, 'hex') AND ends_at = $2::timestamptz`,
);

const FORGET_ENDED = statement(
  'picture_removals.forget_ended',
  `DELETE FROM picture_removals WHERE ${hasEnded('ends_at')}`,
);

const ACTIVE = statement(
  'picture_removals.active',
  `SELECT 1 FROM picture_removals
   WHERE hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)
     AND NOT (${hasEnded('ends_at')})
   LIMIT 1`,
);

/**
 * The deletion of the files of a picture. It is committed before the first file is deleted, so that
 * nobody stores the picture meanwhile, also if this process or its connections end.
 */
export class OngoingRemoval {
  private constructor(
    private readonly database: Database,
    private readonly hash: string,
    private endsAt: string,
  ) {}

  /** @returns undefined if the picture is stored, or another process deletes its files */
  static begin(database: Database, hash: string): Promise<OngoingRemoval | undefined> {
    return database.transaction(async (executor) => {
      const [locked] = await executor.query(LOCK, [hash]);
      if (!locked) return undefined;
      const [begun] = await executor.query<{ ends_at: string }>(BEGIN, [hash]);
      await executor.query(UNLOCK, [hash]);
      return begun && new OngoingRemoval(database, hash, begun.ends_at);
    });
  }

  /** Whether a file may be deleted now; call it before each one. */
  async mayDelete(): Promise<boolean> {
    return (await this.database.query(MAY_DELETE, [this.hash, this.endsAt])).length > 0;
  }

  /**
   * Renews the removal until a deletion that hangs has ended, and then ends it. Without the database
   * or this process, it ends after some minutes.
   */
  renewUntil(ended: Promise<unknown>): void {
    let renewing = Promise.resolve();
    const timer = setInterval(() => {
      renewing = renewing.then(() => this.renew()).catch(() => undefined);
    }, RENEWAL_MS);
    // A process that stops does not wait for a disk that hangs.
    timer.unref();
    const end = async (): Promise<void> => {
      clearInterval(timer);
      await renewing;
      await this.end();
    };
    ended.then(end, end).catch(() => undefined);
  }

  private async renew(): Promise<void> {
    const [renewed] = await this.database.query<{ ends_at: string }>(RENEW, [
      this.hash,
      this.endsAt,
    ]);
    if (renewed) this.endsAt = renewed.ends_at;
  }

  /** Call it when all files are deleted. The picture can be stored again. */
  async end(): Promise<void> {
    await this.database.query(END, [this.hash, this.endsAt]);
  }
}

/** Deletes the rows of removals that did not report their end. */
export async function forgetEndedRemovals(database: Database): Promise<void> {
  await database.query(FORGET_ENDED);
}

/**
 * Call it after the rows of pictures were inserted, and before their files are stored.
 *
 * @throws ApiError 999 with 503 while the files of one of them are being deleted
 */
export async function requireNoRemoval(
  executor: SqlExecutor,
  hashes: readonly string[],
): Promise<void> {
  const active = await executor.query(ACTIVE, [hashes]);
  if (active.length === 0) return;
  throw unavailable(undefined, {
    detail:
      'the same picture was deleted before, and its files are being deleted; retry the request',
  });
}
