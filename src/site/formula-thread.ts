import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inheritedFlags } from '../process/node-flags';
import { type RenderedFormula } from './formula-messages';

/** The program that the thread runs, compiled like this file. */
const PROGRAM = join(__dirname, `formula-program${extname(__filename)}`);

/** Milliseconds that a thread without work remains. */
const IDLE_MS = 5000;

/** Maximum milliseconds for a thread to start. */
const MAX_START_MS = 10_000;

/**
 * Maximum milliseconds to render a formula. The most expensive formulas that `isRenderable` accepts
 * take 50 ms; a slow or busy machine may take several times as long.
 */
const MAX_RENDER_MS = 300;

/** Maximum memory of a thread. Temml and its formulas need 20 MB. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/**
 * Waits for the next message of a thread, which is terminated when it takes too long.
 * @returns undefined when the thread has ended
 */
function nextMessage(thread: Worker, maxMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    let isPending = true;
    const settle = (message?: unknown): void => {
      isPending = false;
      clearTimeout(deadline);
      thread.off('message', settle).off('exit', onExit);
      resolve(message);
    };
    const onExit = (): void => {
      settle();
    };
    // If this thread was busy meanwhile, a message that waits is received before the next turn.
    const deadline = setTimeout(() => {
      setImmediate(() => isPending && void thread.terminate());
    }, maxMs);
    thread.on('message', settle).on('exit', onExit);
  });
}

/** The result of a thread. */
export interface ThreadResult extends RenderedFormula {
  /** Whether the formula ended the thread. It has no MathML then. */
  readonly hasEnded: boolean;
}

/**
 * Renders formulas in a thread. A formula that takes too much time or memory ends the thread, not
 * the server. The thread starts with the first formula, and ends after some seconds without work.
 * It does not keep the process from ending.
 */
export class FormulaThread {
  private readonly flags = inheritedFlags(process.execArgv);
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  /**
   * @param idleMs milliseconds that a thread without work remains
   * @param maxRenderMs maximum milliseconds of the rendering of a formula
   */
  constructor(
    private readonly idleMs = IDLE_MS,
    private readonly maxRenderMs = MAX_RENDER_MS,
  ) {}

  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  /**
   * Renders a formula as MathML. Call it for one formula at a time.
   * @param formula source of TeX
   * @returns undefined when no thread could be started
   */
  async render(formula: string): Promise<ThreadResult | undefined> {
    clearTimeout(this.idle);
    const thread = this.thread ?? (await this.start());
    if (!thread) return undefined;
    thread.postMessage(formula);
    const startedAt = performance.now();
    const response = await nextMessage(thread, this.maxRenderMs);
    this.endWhenIdle();
    if (response !== undefined) return { ...(response as RenderedFormula), hasEnded: false };
    return { math: '', ms: performance.now() - startedAt, hasEnded: true };
  }

  private async start(): Promise<Worker | undefined> {
    let thread: Worker;
    try {
      thread = new Worker(PROGRAM, { execArgv: this.flags, resourceLimits: MEMORY });
    } catch {
      return undefined;
    }
    this.thread = thread;
    thread.unref();
    // The event `exit` follows.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (this.thread === thread) this.thread = undefined;
    });
    const ready = await nextMessage(thread, MAX_START_MS);
    return ready === undefined ? undefined : thread;
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      const { thread } = this;
      this.thread = undefined;
      void thread?.terminate();
    }, this.idleMs);
    this.idle.unref();
  }
}
