import { readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createDirectory } from '../../config/directories';

/** A timeline of a database cluster: each promotion increments it. */
export interface ClusterTimeline {
  /** PostgreSQL's system identifier, which standbys share; empty when it is not known. */
  readonly system: string;
  readonly timeline: number;
}

const FILE = 'primary-timeline.json';

/** Milliseconds after which a failed write of the file is repeated. */
const RETRY_MS = 10_000;

/** The writes of this process, one after the other: they use one name for the unfinished file. */
let writing = Promise.resolve();

/**
 * The latest timeline of the primary. A server with an earlier one is a former primary: its writes
 * are lost. Processes that start while the primary is down read the timeline from a file in
 * DATA_DIR. Otherwise they would use a former primary that still runs.
 */
export class KnownTimeline {
  private readonly logger = new Logger(KnownTimeline.name);
  private readonly path: string;
  private known: ClusterTimeline | undefined;
  /** What the file lacks, and `performance.now()` from which on another attempt is made. */
  private unstored: ClusterTimeline | undefined;
  private retryAt = 0;

  /** @param folder DATA_DIR */
  constructor(private readonly folder: string) {
    this.path = join(folder, FILE);
    this.known = this.read();
  }

  /** Whether a server that accepts writes is a former primary. */
  isFormer(server: ClusterTimeline): boolean {
    return this.known !== undefined && isEarlier(server, this.known);
  }

  /** Identifier of the cluster of the primary; empty when it is not known. */
  get system(): string {
    return this.known?.system ?? '';
  }

  /**
   * Stores the timeline of the primary if it is a later one, or that of another cluster. Call it
   * repeatedly: a write that failed is repeated after {@link RETRY_MS}.
   */
  remember({ system, timeline }: ClusterTimeline): void {
    const before = this.known;
    if (before?.system !== system || timeline > before.timeline) {
      this.known = { system, timeline };
      // No server of a cluster has an earlier timeline than 1.
      const isNeeded = system !== '' && (timeline > 1 || before !== undefined);
      this.unstored = isNeeded ? this.known : undefined;
      this.retryAt = 0;
    }
    const { unstored } = this;
    if (!unstored || performance.now() < this.retryAt) return;
    this.retryAt = performance.now() + RETRY_MS;
    writing = writing
      .then(() => this.write(unstored))
      .then(() => {
        if (this.unstored === unstored) this.unstored = undefined;
      })
      .catch((error: unknown) => {
        this.logger.warn(`the timeline of the primary server is not stored: ${String(error)}`);
      });
  }

  /** Fulfilled when everything that was remembered is stored, or could not be. */
  get stored(): Promise<void> {
    return writing;
  }

  private async write(latest: ClusterTimeline): Promise<void> {
    const stored = this.read();
    // Another process has stored a later one.
    if (stored && isEarlier(latest, stored)) return;
    await createDirectory(this.folder);
    const draft = `${this.path}.${process.pid}`;
    try {
      await writeFile(draft, `${JSON.stringify(latest)}\n`, { flush: true });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** The stored timeline; undefined without a valid file. */
  private read(): ClusterTimeline | undefined {
    try {
      // Reading another kind of file, such as a named pipe, might not end.
      if (!statSync(this.path).isFile()) throw new Error('it is not a regular file');
      const known = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<ClusterTimeline> | null;
      const { system, timeline } = known ?? {};
      if (typeof system === 'string' && Number.isSafeInteger(timeline)) {
        return { system, timeline: Number(timeline) };
      }
      throw new Error('it has no system and timeline');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.logger.warn(`${this.path} cannot be read: ${String(error)}`);
      }
      return undefined;
    }
  }
}

const isEarlier = (one: ClusterTimeline, other: ClusterTimeline): boolean =>
  one.system === other.system && one.timeline < other.timeline;
