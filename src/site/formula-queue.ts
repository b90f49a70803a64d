import { LRUCache } from 'lru-cache';
import { type ClientPresence } from '../api/http/client-presence';

/** Limits of the queue, in milliseconds. */
export interface FormulaLimits {
  /** Maximum rendering time of a page. */
  readonly pageMs: number;
  /** Maximum wait of a page, in total, while formulas of other pages are rendered. */
  readonly waitMs: number;
  /** Maximum rendering time of a text within {@link windowMs}. */
  readonly textMs: number;
  /** Time for which the rendering of texts and addresses counts. */
  readonly windowMs: number;
}

/** A page with formulas. */
export interface FormulaPage {
  /** Formulas to render. Each is read after the one before it has been rendered. */
  readonly sources: Iterable<string>;
  /** Key of the text; pages with the same text have the same. */
  readonly text: string;
  /** Limit key of the client's address. */
  readonly address: string;
  readonly presence?: ClientPresence | undefined;
}

/** How a formula was rendered. */
export interface Rendering {
  /** Milliseconds of rendering. */
  readonly ms: number;
  /** Whether the formula took too much time or memory. */
  readonly hasFailed: boolean;
}

/** Maximum number of texts, and of addresses, whose rendering is counted. */
const MAX_KEYS = 10_000;

/** Counts milliseconds by key, each for a time that begins with the key's first count. */
class TimeUsed {
  private readonly counts: LRUCache<string, number>;

  constructor(windowMs: number) {
    this.counts = new LRUCache({ max: MAX_KEYS, ttl: windowMs, noUpdateTTL: true });
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, ms: number): void {
    this.counts.set(key, this.of(key) + ms);
  }
}

/** A page in the queue. */
class Waiter {
  /** The formula to render next. */
  source = '';
  /** Milliseconds of rendering that the page has used. */
  spentMs = 0;
  /** Ends the wait for a turn. */
  stopWaiting: () => void = () => undefined;
  private readonly sources: Iterator<string>;

  constructor(
    readonly page: FormulaPage,
    /** Milliseconds that it may still wait. */
    private waitMs: number,
    readonly resolve: () => void,
    readonly reject: (error: unknown) => void,
  ) {
    this.sources = page.sources[Symbol.iterator]();
  }

  /** Reads the next formula. @returns whether there is one */
  readNext(): boolean {
    const next = this.sources.next();
    if (next.done === true) return false;
    this.source = next.value;
    return true;
  }

  /** Calls `giveUp` when the page has waited too long or its client leaves. */
  wait(giveUp: () => void): void {
    const { presence } = this.page;
    const since = performance.now();
    const timer = setTimeout(giveUp, Math.max(0, this.waitMs)).unref();
    presence?.onLeave(giveUp);
    this.stopWaiting = () => {
      this.waitMs -= performance.now() - since;
      clearTimeout(timer);
      presence?.offLeave(giveUp);
    };
  }
}

/**
 * Renders the formulas of pages one at a time. The next formula is always of the page whose text and
 * address have used the least rendering. New formulas of other pages therefore wait for one formula
 * of an expensive text, not for all, however many pages with it are requested. A text that has used
 * its time, or has a formula that took too much time or memory, gets no more turns for some minutes.
 */
export class FormulaQueue {
  private readonly waiting = new Set<Waiter>();
  private readonly ofTexts: TimeUsed;
  private readonly ofAddresses: TimeUsed;
  private isRunning = false;

  /** @param render renders a formula; resolves to undefined when none can be rendered now */
  constructor(
    private readonly render: (source: string) => Promise<Rendering | undefined>,
    private readonly limits: FormulaLimits,
  ) {
    this.ofTexts = new TimeUsed(limits.windowMs);
    this.ofAddresses = new TimeUsed(limits.windowMs);
  }

  /** Number of pages that wait for a turn. */
  get length(): number {
    return this.waiting.size;
  }

  /** Renders the formulas of a page within the limits, or until its client leaves. */
  renderPage(page: FormulaPage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.enqueue(new Waiter(page, this.limits.waitMs, resolve, reject));
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.next(); next; next = this.next()) {
      this.leave(next);
      try {
        const rendering = await this.render(next.source);
        if (rendering) this.count(next, rendering);
        else next.spentMs = Infinity;
        this.enqueue(next);
      } catch (error) {
        next.reject(error);
      }
    }
    this.isRunning = false;
  }

  /** The page whose text and address have used the least; the first of several. */
  private next(): Waiter | undefined {
    let best: Waiter | undefined;
    let least = Infinity;
    for (const waiter of this.waiting) {
      const { text, address } = waiter.page;
      const used = this.ofTexts.of(text) + this.ofAddresses.of(address);
      if (used >= least) continue;
      least = used;
      best = waiter;
    }
    return best;
  }

  private count(waiter: Waiter, { ms, hasFailed }: Rendering): void {
    const { text, address } = waiter.page;
    waiter.spentMs += ms;
    this.ofAddresses.add(address, ms);
    this.ofTexts.add(text, hasFailed ? Infinity : ms);
    if (this.hasTime(text)) return;
    for (const other of this.waiting) if (other.page.text === text) this.giveUp(other);
  }

  private hasTime(text: string): boolean {
    return this.ofTexts.of(text) < this.limits.textMs;
  }

  /** Waits for the next turn of a page, or ends it if it needs or may have no more. */
  private enqueue(waiter: Waiter): void {
    const { page, spentMs } = waiter;
    const mayContinue = spentMs <= this.limits.pageMs && this.hasTime(page.text);
    if (!mayContinue || page.presence?.hasLeft === true || !waiter.readNext()) {
      waiter.resolve();
      return;
    }
    this.waiting.add(waiter);
    waiter.wait(() => this.giveUp(waiter));
  }

  private leave(waiter: Waiter): void {
    this.waiting.delete(waiter);
    waiter.stopWaiting();
  }

  private giveUp(waiter: Waiter): void {
    this.leave(waiter);
    waiter.resolve();
  }
}
