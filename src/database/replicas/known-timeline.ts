import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from '../../config/directories';

/** A timeline of a database cluster: each promotion increments it. */
export interface ClusterTimeline {
  /** Identifier of the cluster, which standbys share; empty when it is not known. */
  readonly system: string;
  readonly timeline: number;
}

const FILE = 'primary-timeline.json';

/**
 * The latest timeline of the primary. A server with an earlier one is a former primary: what it
 * stores is lost. A file in DATA_DIR tells it to processes that start while the primary is down, and
 * would take a former primary that runs on for it.
 */
export class KnownTimeline {
  private known: ClusterTimeline | undefined;
  private writing = Promise.resolve();

  /** @param folder DATA_DIR */
  constructor(private readonly folder: string) {
    this.known = read(join(folder, FILE));
  }

  /** Whether a server that accepts writes is a former primary. */
  isFormer({ system, timeline }: ClusterTimeline): boolean {
    return this.known?.system === system && timeline < this.known.timeline;
  }

  /** Stores the timeline of the primary if it is a later one, or that of another cluster. */
  remember({ system, timeline }: ClusterTimeline): void {
    if (this.known?.system === system && timeline <= this.known.timeline) return;
    this.known = { system, timeline };
    // No server has an earlier timeline than 1.
    if (system === '' || timeline === 1) return;
    // Without the file, processes that start later rely on the servers that respond.
    this.writing = this.writing.then(() => this.write()).catch(() => undefined);
  }

  private async write(): Promise<void> {
    await createDirectory(this.folder);
    const path = join(this.folder, FILE);
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(this.known)}\n`);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

function read(path: string): ClusterTimeline | undefined {
  try {
    const known = JSON.parse(readFileSync(path, 'utf8')) as Partial<ClusterTimeline> | null;
    const { system, timeline } = known ?? {};
    return typeof system === 'string' && Number.isSafeInteger(timeline)
      ? { system, timeline: Number(timeline) }
      : undefined;
  } catch {
    return undefined;
  }
}
