import { type Call } from '../http';

/** Milliseconds after which a failed writer tries again. */
const PAUSE_MS = 20;

/**
 * Users who write without a pause: notes, each with a title of its own, and collections of books,
 * which counters add up. Acknowledged writes must exist afterwards.
 */
export class Writers {
  /** Titles of notes that the service has acknowledged, in the order of the responses. */
  readonly acknowledged: string[] = [];
  /** Responses by status; 0 for a connection that failed. */
  readonly statuses = new Map<number, number>();
  private running = true;
  private readonly loops: Promise<void>[];
  private readonly listeners = new Set<() => void>();

  /**
   * @param calls where each writer sends its requests to
   * @param tokens of a user for each writer
   * @param books ids of books that are collected
   */
  constructor(
    calls: readonly Call[],
    tokens: readonly string[],
    private readonly books: readonly number[],
  ) {
    this.loops = tokens.map((token, at) => {
      const call = calls[at % calls.length];
      if (!call) throw new Error('there is no server to write to');
      return this.write(call, token, at);
    });
  }

  /** Waits for further acknowledged notes. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    while (this.acknowledged.length < wanted) {
      await new Promise<void>((resolve) => this.listeners.add(resolve));
    }
  }

  /** Statuses of responses that are none of these; failed connections do not count. */
  unexpected(expected: readonly number[]): number[] {
    return [...this.statuses.keys()].filter((status) => ![0, ...expected].includes(status));
  }

  /** Ends when every writer has its last response. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
  }

  private async write(call: Call, token: string, writer: number): Promise<void> {
    const collected = new Set<number>();
    for (let at = 0; this.running; at++) {
      const title = `${writer}-${at}`;
      const content = 'written under load';
      const note = await this.send(call, token, '/v2/notes', 'POST', { title, content });
      if (note === 201) this.acknowledge(title);
      const book = this.books[at % this.books.length] ?? 0;
      const method = collected.has(book) ? 'PUT' : 'POST';
      const fields = { status: 'read', rating: String((at % 5) + 1), tags: `t${at % 7}` };
      const status = await this.send(call, token, `/v2/book/${book}/collection`, method, fields);
      if (status === 201 || status === 409) collected.add(book);
      if (note !== 201) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private acknowledge(title: string): void {
    this.acknowledged.push(title);
    const listeners = [...this.listeners];
    this.listeners.clear();
    for (const listener of listeners) listener();
  }

  private async send(
    call: Call,
    token: string,
    path: string,
    method: string,
    fields: Record<string, string>,
  ): Promise<number> {
    let status = 0;
    try {
      ({ status } = await call(path, { method, token, body: new URLSearchParams(fields) }));
    } catch {
      // The connection failed: nothing was acknowledged.
    }
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return status;
  }
}
