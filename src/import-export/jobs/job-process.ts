import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { SETTING_NAMES, Settings } from '../../config/settings';
import { addressOf } from '../../database/data-source';
import { DirectDatabase } from '../../database/direct-database';
import { SilentProcessWatch } from './silent-process';

/** The program that the child process runs, compiled like this file. */
const PROGRAM = join(__dirname, `job-program${extname(__filename)}`);

/** Memory in MB in addition to the JavaScript heap: code, buffers and native libraries. */
const BESIDE_HEAP = 160;
/** Minimum heap size of a job in MB. */
const MIN_HEAP = 96;

/** Milliseconds for a graceful stop. */
const STOP_MS = 15_000;

/** Exit status of the child process when it exceeds its memory limit. */
export const TOO_MUCH_MEMORY = 70;

/**
 * Settings that the child process does not inherit: it serves no requests, has no rate limits, and
 * uses PostgreSQL session features itself.
 */
const OWN = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_POOLING',
  'REDIS_URL',
  'METRICS_PORT',
  'TLS_CERT',
  'TLS_KEY',
  'HTTP_PORT',
]);

/**
 * Runs jobs in a child process, so that they cannot use up the memory or the CPU time of requests,
 * or crash the server.
 */
@Injectable()
export class JobProcess {
  /** Milliseconds between two messages of the child process. Tests set it. */
  aliveIntervalMs = 10_000;

  constructor(
    private readonly settings: Settings,
    private readonly database: DirectDatabase,
  ) {}

  /**
   * Runs all waiting jobs in a child process.
   * @param signal stops it gracefully when aborted
   * @returns how the process ended, unless it ended normally
   */
  async run(signal: AbortSignal): Promise<string | undefined> {
    const child = fork(PROGRAM, [String(this.aliveIntervalMs)], {
      env: this.environment(),
      execArgv: [...process.execArgv.filter(isForAll), ...this.heapFlags()],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const watch = new SilentProcessWatch(child, this.aliveIntervalMs);
    let deadline: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill('SIGTERM');
      deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    };
    signal.addEventListener('abort', stop);
    try {
      const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      if (watch.hasKilled) return 'signal SIGKILL, because it no longer responded';
      return code === 0 ? undefined : reasonOf(code, by);
    } finally {
      watch.end();
      signal.removeEventListener('abort', stop);
      clearTimeout(deadline);
    }
  }

  private heapFlags(): string[] {
    const heap = Math.max(MIN_HEAP, this.settings.JOB_MEMORY_MB - BESIDE_HEAP);
    return [`--max-old-space-size=${heap}`, '--max-semi-space-size=8'];
  }

  /** The server's settings and its database URL, which may be that of the embedded database. */
  private environment(): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of SETTING_NAMES) {
      const value = Reflect.get(this.settings, name) as string | number | boolean | undefined;
      // An empty variable counts as unset and takes precedence over a settings file.
      env[name] = value === undefined || OWN.has(name) ? '' : String(value);
    }
    env.DATABASE_URL = addressOf(this.database.source);
    return env;
  }
}

/** How V8 ends a process with a full heap, with and without a shell. */
const OUT_OF_HEAP = { signal: 'SIGABRT', status: 134 };

function reasonOf(code: number | null, by: NodeJS.Signals | null): string {
  const full = by === OUT_OF_HEAP.signal || code === OUT_OF_HEAP.status;
  if (full || code === TOO_MUCH_MEMORY) return 'more memory than JOB_MEMORY_MB allows';
  return by === null ? `status ${code}` : `signal ${by}`;
}

/** Node flags that the child process inherits; debugger and heap flags are excluded. */
const isForAll = (flag: string): boolean => !/^--(inspect|max-|debug|cpu-prof|heap)/.test(flag);
