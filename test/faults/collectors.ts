import { setTimeout as pause } from 'node:timers/promises';
import { type Scene } from './scene';

/** Milliseconds before a writer that was refused writes again. */
const AGAIN_MS = 20;
/** The status when COMMIT was executed and its result was lost. A retry shows it. */
export const SAVED_BEFORE = 409;

const POLL_MS = 10;
/** Longest that a condition is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Waits until a condition holds. @returns seconds that it took */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`timed out: ${what}`);
    await pause(POLL_MS);
  }
  return (performance.now() - startedAt) / 1000;
}

/**
 * Users who put one book after the other into their collections, and note down which of them the
 * service said are there.
 */
export class Collectors {
  /** Ids that were acknowledged. */
  readonly acknowledged: number[] = [];
  /** Number of responses by status; 0 for requests without a response. */
  readonly statuses: Record<number, number> = {};
  /** Responses of 503 that did not say when to come back. */
  withoutRetryAfter = 0;
  private stopped = false;
  private readonly writing: Promise<unknown>;

  constructor(
    private readonly scene: Scene,
    tokens: readonly string[],
    private readonly books: readonly number[],
  ) {
    this.writing = Promise.all(tokens.map((token) => this.write(token)));
  }

  /** Waits for further acknowledged writes. @returns the seconds that it took */
  succeed(more: number): Promise<number> {
    const target = this.acknowledged.length + more;
    return until(`${more} writes succeed`, () => this.acknowledged.length >= target);
  }

  /** Waits for further failed writes. */
  fail(more: number): Promise<number> {
    const failed = (): number => (this.statuses[503] ?? 0) + (this.statuses[0] ?? 0);
    const target = failed() + more;
    return until(`${more} writes fail`, () => failed() >= target);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.writing;
  }

  /** Acknowledged ids that the database does not have. */
  async lost(): Promise<number[]> {
    const rows = await this.scene.postgres.sql<{ id: number }>('SELECT id::int FROM collections');
    const stored = new Set(rows.map(({ id }) => id));
    return this.acknowledged.filter((id) => !stored.has(id));
  }

  private async write(token: string): Promise<void> {
    for (const book of this.books) {
      while (!this.stopped && !(await this.put(book, token))) await pause(AGAIN_MS);
    }
    if (!this.stopped) throw new Error('there are too few books for this test');
  }

  /** @returns whether the book is in the collection now */
  private async put(book: number, token: string): Promise<boolean> {
    const options = { method: 'POST', token, body: new URLSearchParams({ status: 'wish' }) };
    const response = await this.scene
      .call(`/v2/book/${book}/collection`, options)
      .catch(() => undefined);
    const status = response?.status ?? 0;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (response && status === 201) this.acknowledged.push(response.body.id);
    if (status === 503 && !response?.headers.get('retry-after')) this.withoutRetryAfter += 1;
    return status === 201 || status === SAVED_BEFORE;
  }
}
