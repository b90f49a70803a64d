import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { extname, join } from 'node:path';
import { unavailable } from '../api/errors/error-codes';
import { formatNodeOptions, inheritedFlags, parseNodeOptions } from '../process/node-flags';
import { type ImageHeader, type ReencodedPicture } from './picture-encoding';
import {
  deserializeError,
  type PictureRequest,
  type PictureResponse,
  type PictureResults,
} from './picture-messages';

/** The program that the child process runs, compiled like this file. */
const PROGRAM = join(__dirname, `picture-program${extname(__filename)}`);

/** Milliseconds that a child process without work remains. */
const IDLE_MS = 5000;

/** Maximum milliseconds of the work on a picture. The slowest ones take about two seconds. */
const MAX_WORK_MS = 30_000;

/** Milliseconds for the child process to end. */
const END_MS = 5000;

/** Last characters of the standard error of the child process, for the cause of a failure. */
const MAX_ERROR_TEXT = 2000;

/** Variables that the child process inherits. None of them is a setting. */
const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'SystemRoot',
  'TEMP',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_PATH',
  'UV_THREADPOOL_SIZE',
];

/**
 * Variables of the allocator of glibc, mallopt(3), which it reads when a process starts. Without
 * them each thread has an arena, and freed memory in the middle of an arena does not return to the
 * system. With them, each block of 128 KB or more is mapped, and unmapped when it is freed. A
 * threshold that is set does not grow with the blocks that are freed.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
  NODE_OPTIONS: formatNodeOptions(inheritedFlags(parseNodeOptions(process.env.NODE_OPTIONS ?? ''))),
  ...ALLOCATOR,
});

const STOPPING = 'the server stops before the work on a picture has ended';

/** Called by a child process. */
interface ChildEvents {
  /** It has no work left. */
  readonly onIdle: () => void;
  /** It has ended, or could not be started. */
  readonly onEnd: () => void;
}

/** A request to the child process without a response yet. */
interface PendingRequest {
  readonly resolve: (response: PictureResponse) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

/** One child process, from its start to its end. Without work it does not keep this process. */
class PictureChild {
  private readonly process: ChildProcess;
  private readonly running = new Map<number, PendingRequest>();
  private sent = 0;
  private errorText = '';
  /** Why it was killed. */
  private killReason: string | undefined;
  /** Whether it accepts work. */
  isOpen = true;

  /** @param flags of Node */
  constructor(
    private readonly maxWorkMs: number,
    flags: readonly string[],
    private readonly events: ChildEvents,
  ) {
    this.process = fork(PROGRAM, [], {
      env: environment(),
      execArgv: [...flags],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.process.on('message', (response: PictureResponse) => {
      // A library that was loaded in part may fail again, and too little memory may be its own. The
      // next picture gets a new process.
      if (response.error?.isUnavailable === true) this.isOpen = false;
      this.settle(response.id, (work) => {
        work.resolve(response);
      });
    });
    this.process.on('error', (error) => {
      this.fail(error.message);
    });
    this.process.on('disconnect', () => {
      this.isOpen = false;
    });
    // After its last output.
    this.process.on('close', (code, signal) => {
      this.fail(signal === null ? `status ${code}` : `signal ${signal}`);
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errorText = (this.errorText + text).slice(-MAX_ERROR_TEXT);
    });
  }

  get isIdle(): boolean {
    return this.running.size === 0;
  }

  /** @throws ApiError 999 with 503 when the process ends, or the work takes too long */
  run(work: Omit<PictureRequest, 'id'>): Promise<PictureResponse> {
    this.sent += 1;
    const id = this.sent;
    if (this.isIdle) this.setReferenced(true);
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.kill(`the work on a picture took longer than ${this.maxWorkMs} ms`);
      }, this.maxWorkMs);
      this.running.set(id, { resolve, reject, deadline });
      // Otherwise it could not be started. The event that says why follows.
      if (!this.process.connected) return;
      this.process.send({ id, ...work }, (error) => {
        if (error) this.close();
      });
    });
  }

  /** Ends it, and waits until it has ended. */
  async end(): Promise<void> {
    this.isOpen = false;
    const { pid, exitCode, signalCode } = this.process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = once(this.process, 'exit').catch(() => undefined);
    if (!this.isIdle) this.kill(STOPPING);
    else if (this.process.connected) this.process.disconnect();
    // Otherwise this process could end before what its caller does afterwards.
    this.process.ref();
    const deadline = setTimeout(() => this.process.kill('SIGKILL'), END_MS);
    deadline.unref();
    await exited;
    clearTimeout(deadline);
  }

  /** Kills it, and rejects its work at once: a process that waits for a disk may not end. */
  kill(reason: string): void {
    this.killReason ??= reason;
    this.close();
    this.rejectAll(reason);
  }

  private close(): void {
    this.isOpen = false;
    this.process.kill('SIGKILL');
  }

  private settle(id: number, complete: (work: PendingRequest) => void): void {
    const work = this.running.get(id);
    if (!work) return;
    this.running.delete(id);
    clearTimeout(work.deadline);
    complete(work);
    if (!this.isIdle) return;
    this.setReferenced(false);
    if (!this.isOpen && this.process.connected) this.process.disconnect();
    this.events.onIdle();
  }

  private fail(reason: string): void {
    this.isOpen = false;
    this.rejectAll(this.killReason ?? [reason, this.errorText.trim()].filter(Boolean).join(': '));
    this.events.onEnd();
  }

  private rejectAll(text: string): void {
    const cause = new Error(`the process that decodes pictures ended: ${text}`);
    for (const id of [...this.running.keys()]) {
      this.settle(id, (work) => {
        work.reject(unavailable(cause));
      });
    }
  }

  /** Whether the child process keeps this process from ending. */
  private setReferenced(isReferenced: boolean): void {
    const how = isReferenced ? 'ref' : 'unref';
    this.process[how]();
    this.process.channel?.[how]();
    (this.process.stderr as Socket | null)?.[how]();
  }
}

/**
 * Decodes pictures in a child process. Decoders need hundreds of megabytes, much of which the
 * allocator of this process would keep. The child process returns more, and all of it when it ends
 * after some seconds without work. It has no settings and no secrets, and a picture that makes it
 * crash does not end the server.
 */
export class PictureProcess {
  private readonly flags = inheritedFlags(process.execArgv);
  /** All that have not ended. */
  private readonly children = new Set<PictureChild>();
  /** The one that gets the next picture, if it is open. */
  private child: PictureChild | undefined;
  private idle: NodeJS.Timeout | undefined;
  private isStopping = false;

  /**
   * @param idleMs milliseconds that a child process without work remains
   * @param maxWorkMs maximum milliseconds of the work on a picture
   */
  constructor(
    private readonly idleMs = IDLE_MS,
    private readonly maxWorkMs = MAX_WORK_MS,
  ) {}

  /**
   * `readHeader` of picture-encoding.ts.
   * @throws ApiError also 999 with 503 as {@link reencode}
   */
  readHeader(bytes: Buffer): Promise<ImageHeader> {
    return this.run('readHeader', bytes);
  }

  /**
   * `reencode` of picture-encoding.ts.
   * @throws ApiError also 999 with 503 when the child process ends, such as when the system has too
   *   little memory, or when the work takes longer than its maximum
   */
  reencode(bytes: Buffer, header: ImageHeader): Promise<ReencodedPicture> {
    return this.run('reencode', bytes, header);
  }

  /** Ends the child processes, and waits until they have ended. The next picture gets a new one. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    this.child = undefined;
    await Promise.all([...this.children].map((child) => child.end()));
  }

  /** Rejects pending and later work with 999 and 503, because this process ends soon. */
  rejectPending(): void {
    this.isStopping = true;
    for (const child of this.children) child.kill(STOPPING);
  }

  private async run<Work extends keyof PictureResults>(
    work: Work,
    bytes: Buffer,
    header?: ImageHeader,
  ): Promise<PictureResults[Work]> {
    if (this.isStopping) throw unavailable(new Error(STOPPING));
    clearTimeout(this.idle);
    const { result, error } = await this.openChild().run({ work, bytes, header });
    if (error) throw deserializeError(error);
    return result as PictureResults[Work];
  }

  /** @throws ApiError 999 with 503 when no process can be started */
  private openChild(): PictureChild {
    if (this.child?.isOpen) return this.child;
    try {
      const child = new PictureChild(this.maxWorkMs, this.flags, {
        onIdle: () => {
          if (child === this.child) this.endWhenIdle();
        },
        onEnd: () => this.children.delete(child),
      });
      this.children.add(child);
      this.child = child;
      return child;
    } catch (error) {
      throw unavailable(error);
    }
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.child?.end(), this.idleMs);
    this.idle.unref();
  }
}
