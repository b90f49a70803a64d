import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OperationError } from '../../api/errors/errors';
import { createDirectory } from '../../config/directories';
import { Settings } from '../../config/settings';
import { DirectDatabase } from '../../database/direct-database';
import { type ImportError } from '../engine/import.service';
import { RecordHandlers } from '../engine/handlers';
import { readManifest } from '../full/manifest';
import {
  JobCancelled,
  JobInterrupted,
  MAX_ATTEMPTS,
  MAX_FAULTS,
  type Job,
  type JobProgress,
  type JobType,
} from './job';
import { JobConnection } from './job-connection';
import { JobWork } from './job-work';
import { JobsRepository } from './jobs.repository';

/** What is to be imported or exported. */
export interface JobWish {
  readonly type: JobType;
  /** Name of a kind, or `all`. */
  readonly kind: string;
  /** A file's or folder's name in TRANSFER_DIR; of the command line, any path. */
  readonly place: string;
}

export interface JobHooks {
  readonly onFault?: (fault: ImportError) => void;
  readonly onProgress?: (progress: readonly JobProgress[]) => void;
  /** Ends the job when aborted; it can be gone on with. */
  readonly signal?: AbortSignal;
}

/** Milliseconds between two notes of a job that has nothing else to note down. */
const HEARTBEAT_MS = 2000;

/** How often, and how far apart, the command line asks for the right to run its job. */
const ATTEMPTS = 5;
const BETWEEN_MS = 200;

/** Names of files in TRANSFER_DIR: no folders, nothing hidden. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** Imports and exports that outlive their process: one at a time, in the order they were asked for. */
@Injectable()
export class JobsService {
  /** Called when a job was added; the server's runner looks then. */
  onAdded: (() => void) | undefined;
  /** A job that was at work when the database was lost: that attempt is none of its own. */
  private cutOff: number | undefined;

  constructor(
    private readonly database: DirectDatabase,
    private readonly repository: JobsRepository,
    private readonly work: JobWork,
    private readonly kinds: RecordHandlers,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks for a job, which the server does soon.
   *
   * @param by who asks
   * @throws Error for an unknown kind, or a place that is no name in TRANSFER_DIR
   */
  async start(wish: JobWish, by: string): Promise<Job> {
    this.check(wish);
    if (!NAME.test(wish.place))
      throw new OperationError('a place is a name: letters, digits, ".", "_", "-"');
    const job = await this.repository.add({
      ...wish,
      by_hand: false,
      manifest: null,
      created_by: by,
    });
    this.onAdded?.();
    return job;
  }

  /** A job with its report. */
  get(id: number): Promise<Job | undefined> {
    return this.repository.byId(id);
  }

  /**
   * Asks for the end of a job. What it stored stays; one that nobody is at ends at once.
   *
   * @returns the job as it is then
   */
  async cancel(id: number): Promise<Job | undefined> {
    await this.repository.cancel(id);
    return this.repository.byId(id);
  }

  /**
   * Does a job here and now, for the command line. A whole import that did not finish is gone on
   * with, by its manifest.
   *
   * @param restart whether it begins anew instead
   * @throws Error when another job runs, or saying why this one failed
   */
  async runHere(
    wish: JobWish,
    { by, restart = false }: { readonly by: string; readonly restart?: boolean },
    hooks: JobHooks = {},
  ): Promise<Job> {
    this.check(wish);
    const place = resolve(wish.place);
    const whole = wish.type === 'import' && wish.kind === 'all';
    const manifest = whole ? (await readManifest(place)).hash : null;
    const connection = await this.takeSoon();
    if (!connection) throw new Error('another import or export is running: see "job list"');
    try {
      const before =
        manifest === null || restart ? undefined : await this.repository.unfinished(manifest);
      const job =
        before ??
        (await this.repository.add({ ...wish, place, by_hand: true, manifest, created_by: by }));
      await this.run(connection, job, place, hooks);
      return (await this.repository.byId(job.id)) as Job;
    } finally {
      await connection.release();
    }
  }

  /** The database may take a moment to see that the process before has ended. */
  private async takeSoon(): Promise<JobConnection | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await JobConnection.take(this.database);
      if (connection || attempt >= ATTEMPTS) return connection;
      await pause(BETWEEN_MS);
    }
  }

  /**
   * Does what waits to be done by the server, and what an ended process left, one after the other.
   *
   * @param signal ends the job at work when aborted; it is gone on with later
   * @returns false when another process is at it
   */
  async runWaiting(signal: AbortSignal): Promise<boolean> {
    if (!(await this.repository.next(this.database))) return true;
    const connection = await JobConnection.take(this.database);
    if (!connection) return false;
    try {
      if (this.cutOff !== undefined) await this.repository.giveBack(connection, this.cutOff);
      this.cutOff = undefined;
      while (!signal.aborted) {
        const job = await this.repository.next(connection);
        if (!job) return true;
        // Its failure is in its report.
        await this.runServed(connection, job, signal).catch(() => undefined);
      }
      return true;
    } finally {
      await connection.release();
    }
  }

  /** Whether a job waits, or was left by its process, and no other process is at work. */
  async isWorkWaiting(): Promise<boolean> {
    if (!(await this.repository.next(this.database))) return false;
    const connection = await JobConnection.take(this.database);
    await connection?.release();
    return connection !== undefined;
  }

  /** Remembers how the process of the server's running job ended. */
  noteCrash(how: string): Promise<void> {
    return this.repository.noteCrash(how);
  }

  private async runServed(connection: JobConnection, job: Job, signal: AbortSignal): Promise<void> {
    // One that was asked to end, and whose process ended before it could.
    if (job.cancel_requested) return this.repository.end(connection, job.id, 'cancelled');
    if (job.attempts >= MAX_ATTEMPTS) {
      return this.repository.end(connection, job.id, 'failed', givenUp(job));
    }
    try {
      const place = await this.placeOf(job);
      await this.run(connection, job, place, { signal });
    } catch (error) {
      if (!(error instanceof JobInterrupted || error instanceof JobCancelled)) {
        await this.repository.end(connection, job.id, 'failed', messageOf(error));
      }
      throw error;
    }
  }

  /** The path of a served job's place, in a folder that is there. @throws Error when it lies elsewhere */
  private async placeOf({ place, type }: Job): Promise<string> {
    const folder = this.settings.transferDir;
    const path = join(folder, basename(place));
    if (!NAME.test(place)) throw new Error('the place is no name');
    await createDirectory(folder);
    if (type === 'export') return path;
    // A link could lead anywhere.
    const [home, real] = await Promise.all([realpath(folder), realpath(path)]);
    const inside = relative(home, real);
    if (inside.startsWith('..') || isAbsolute(inside)) throw new Error('the place lies elsewhere');
    return path;
  }

  private check({ kind }: JobWish): void {
    if (kind !== 'all') this.kinds.named(kind);
  }

  private async run(
    connection: JobConnection,
    job: Job,
    place: string,
    hooks: JobHooks,
  ): Promise<void> {
    const { repository } = this;
    await repository.begin(connection, job.id, job.by_hand ? place : job.place);
    const faults = [...job.faults];
    let faultCount = job.fault_count;
    let progress = job.progress;
    const note = () =>
      repository.note(connection, job.id, { progress, faults, fault_count: faultCount });
    const stop = new AbortController();
    // Between two batches much time may pass, over a line without end, say.
    const heartbeat = setInterval(() => {
      note().then(
        (cancelled) => {
          if (cancelled) stop.abort(new JobCancelled());
          else if (hooks.signal?.aborted === true) stop.abort(new JobInterrupted());
        },
        (error: unknown) => {
          stop.abort(error);
        },
      );
    }, HEARTBEAT_MS);
    try {
      await this.work.run(job, place, {
        signal: stop.signal,
        onFault: (fault) => {
          faultCount += 1;
          if (faults.length < MAX_FAULTS) faults.push(fault);
          hooks.onFault?.(fault);
        },
        onProgress: async (now) => {
          progress = now;
          hooks.onProgress?.(now);
          if (await note()) throw new JobCancelled();
          if (hooks.signal?.aborted === true) throw new JobInterrupted();
        },
      });
      await note();
      await repository.end(connection, job.id, 'done');
    } catch (error) {
      // Until the database can be told how the job ended, it was the database that went away.
      this.cutOff = job.id;
      if (error instanceof JobCancelled) await repository.end(connection, job.id, 'cancelled');
      else if (error instanceof JobInterrupted) await repository.end(connection, job.id, 'waiting');
      else await repository.end(connection, job.id, 'failed', messageOf(error));
      this.cutOff = undefined;
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** What a job says that is resumed no more. */
const givenUp = ({ attempts, error }: Job): string =>
  `given up: its process ended ${attempts} times while it was at work` +
  (error === '' ? '' : `, the last time with ${error}`);

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
