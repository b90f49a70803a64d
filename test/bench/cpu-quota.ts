import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from './usage';

const ROOT = '/sys/fs/cgroup';
/** Microseconds in which a group may use its share: short, so that it waits often instead of long. */
const PERIOD_US = 10_000;

/** How a version of control groups is used. */
interface Version {
  /** Folder of the groups that have a share of the CPUs. */
  readonly folder: string;
  /** Exists where groups can have shares. */
  readonly mark: string;
  /** Texts of the files that set a share. */
  readonly files: (quotaUs: number) => Readonly<Record<string, string>>;
}

const VERSIONS: readonly Version[] = [
  {
    folder: join(ROOT, 'cpu'),
    mark: 'cpu.cfs_quota_us',
    files: (quota) => ({ 'cpu.cfs_period_us': `${PERIOD_US}`, 'cpu.cfs_quota_us': `${quota}` }),
  },
  {
    folder: ROOT,
    mark: 'cgroup.subtree_control',
    files: (quota) => ({ 'cpu.max': `${quota} ${PERIOD_US}` }),
  },
];

/**
 * A limit of CPU time for processes: a control group of Linux. A server that has less than a CPU
 * leaves the rest of a small machine to the load generator and PostgreSQL.
 */
export class CpuQuota {
  private constructor(private readonly folder: string) {}

  /**
   * @param cpus CPUs that all processes of the group may use together, such as 0.5
   * @returns undefined where this process may not limit CPU time: only root may
   */
  static open(name: string, cpus: number): CpuQuota | undefined {
    const version = VERSIONS.find(({ folder, mark }) => existsSync(join(folder, mark)));
    if (!version) return undefined;
    const folder = join(version.folder, `commonplace-bench-${process.pid}-${name}`);
    try {
      mkdirSync(folder);
    } catch {
      return undefined;
    }
    const quota = new CpuQuota(folder);
    try {
      const files = version.files(Math.round(cpus * PERIOD_US));
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
      return quota;
    } catch {
      quota.close();
      return undefined;
    }
  }

  /** Limits a process with its children, and those that they start later. */
  add(pid: number): void {
    for (const one of treeOf(pid)) writeFileSync(join(this.folder, 'cgroup.procs'), `${one}`);
  }

  /** Call it when the processes have ended. */
  close(): void {
    rmdirSync(this.folder);
  }
}
