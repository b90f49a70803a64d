import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { SETTING_NAMES, Settings } from '../../config/settings';
import { DirectDatabase } from '../../database/direct-database';

/** The program that the process runs, compiled like this file. */
const PROGRAM = join(__dirname, `job-program${extname(__filename)}`);

/** MB that a process takes beside JavaScript's heap: code, buffers, what libraries take. */
const BESIDE_HEAP = 160;
/** MB of heap that no job can do without. */
const MIN_HEAP = 96;

/** Milliseconds that a process gets to stop in good order. */
const STOP_MS = 15_000;

/** Status that a process ends with by itself when it takes too much memory. */
export const TOO_MUCH_MEMORY = 70;

/**
 * Settings that the process does without: it serves nothing, counts no calls, and uses sessions of
 * PostgreSQL itself.
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
 * A process of its own for the server's jobs, so that none of them takes the memory or the time of
 * the requests, or ends the server with it.
 */
@Injectable()
export class JobProcess {
  constructor(
    private readonly settings: Settings,
    private readonly database: DirectDatabase,
  ) {}

  /**
   * Lets a process do all jobs that wait.
   *
   * @param signal stops it in good order when aborted
   * @returns how it ended, when not in good order
   */
  async run(signal: AbortSignal): Promise<string | undefined> {
    const child = fork(PROGRAM, [], {
      env: this.environment(),
      execArgv: [...process.execArgv.filter(isForAll), ...this.heapFlags()],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let deadline: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill('SIGTERM');
      deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    };
    signal.addEventListener('abort', stop);
    try {
      const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      return code === 0 ? undefined : reasonOf(code, by);
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(deadline);
    }
  }

  private heapFlags(): string[] {
    const heap = Math.max(MIN_HEAP, this.settings.JOB_MEMORY_MB - BESIDE_HEAP);
    return [`--max-old-space-size=${heap}`, '--max-semi-space-size=8'];
  }

  /** The server's settings, and the database that it is connected to: the embedded one, say. */
  private environment(): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of SETTING_NAMES) {
      const value = Reflect.get(this.settings, name) as string | number | boolean | undefined;
      // An empty variable is as good as none, and wins over a file with settings.
      env[name] = value === undefined || OWN.has(name) ? '' : String(value);
    }
    const { url } = this.database.source.options as { url?: string };
    env.DATABASE_URL = url ?? '';
    return env;
  }
}

/** What V8 ends a process with whose heap is full, with and without a shell's way to say it. */
const OUT_OF_HEAP = { signal: 'SIGABRT', status: 134 };

function reasonOf(code: number | null, by: NodeJS.Signals | null): string {
  const full = by === OUT_OF_HEAP.signal || code === OUT_OF_HEAP.status;
  if (full || code === TOO_MUCH_MEMORY) return 'more memory than JOB_MEMORY_MB';
  return by === null ? `status ${code}` : `signal ${by}`;
}

/** Flags of the server that hold for a process of its own, too: not those of debuggers and heaps. */
const isForAll = (flag: string): boolean => !/^--(inspect|max-|debug|cpu-prof|heap)/.test(flag);
