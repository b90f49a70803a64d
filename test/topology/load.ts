import { setTimeout as pause } from 'node:timers/promises';
import { type Call, type CallOptions } from '../http';

const HTTPS = { 'X-Forwarded-Proto': 'https' };
/** Milliseconds after which a failed writer tries again. */
const RETRY_MS = 20;

/** A client that sends requests until it is stopped, and counts the statuses of the responses. */
abstract class Client {
  /** Responses by status; 0 for a connection that failed. */
  readonly statuses = new Map<number, number>();
  private running = true;
  private done: Promise<void> | undefined;

  constructor(protected readonly token: string) {}

  start(): this {
    this.done ??= this.loop();
    return this;
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async loop(): Promise<void> {
    for (let turn = 0; this.running; turn += 1) await this.turn(turn);
  }

  protected abstract turn(turn: number): Promise<void>;

  protected async send(call: Call, path: string, options: CallOptions = {}) {
    const sent = { token: this.token, headers: HTTPS, ...options };
    const response = await call(path, sent).catch(() => undefined);
    const status = response?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return response;
  }
}

/** A user who writes a collection through one process, and reads it through another. */
export class Pairs extends Client {
  readonly stale: string[] = [];
  /** Times of acknowledged writes: `performance.now()`. */
  readonly acknowledged: number[] = [];
  lastAcknowledged = -1;
  private exists = false;

  constructor(
    token: string,
    private readonly book: number,
    private readonly calls: readonly Call[],
  ) {
    super(token);
  }

  /** @returns the number in the comment, -1 without a collection; undefined for other responses */
  async read(call: Call): Promise<number | undefined> {
    const response = await this.send(call, this.path);
    if (response?.status === 404) return -1;
    if (response?.status !== 200) return undefined;
    return Number((response.body as { comment: string }).comment);
  }

  private get path(): string {
    return `/v2/book/${this.book}/collection`;
  }

  protected async turn(number: number): Promise<void> {
    const { calls } = this;
    const [writer, reader] = [calls[number % calls.length], calls[(number + 1) % calls.length]];
    const body = new URLSearchParams({ status: 'read', comment: String(number) });
    const options = { method: this.exists ? 'PUT' : 'POST', body };
    const written = await this.send(writer as Call, this.path, options);
    if (written?.status === 409) this.exists = true;
    if (!written || written.status >= 300) {
      await pause(RETRY_MS);
      return;
    }
    this.exists = true;
    this.acknowledged.push(performance.now());
    this.lastAcknowledged = number;
    const found = await this.read(reader as Call);
    if (found !== undefined && found !== number) this.stale.push(`${found} for ${number}`);
  }
}

/** A user who reads books, searches and lists through the proxy. */
export class Reader extends Client {
  constructor(
    token: string,
    private readonly call: Call,
    private readonly books: readonly number[],
    private readonly pauseMs: number,
  ) {
    super(token);
  }

  protected async turn(turn: number): Promise<void> {
    const book = this.books[turn % this.books.length] ?? 0;
    const paths = [
      `/v2/book/${book}`,
      `/v2/book/search?q=book${turn % 50}`,
      `/v2/book/${book}/tags`,
      '/v2/event/list',
    ];
    await this.send(this.call, paths[turn % paths.length] as string);
    await pause(this.pauseMs);
  }
}

/** A user who uploads notes with a picture through the proxy. */
export class Uploader extends Client {
  /** Titles of notes that the service has acknowledged. */
  readonly acknowledged: string[] = [];

  constructor(
    token: string,
    private readonly call: Call,
    private readonly name: string,
    private readonly picture: Buffer,
    private readonly pauseMs: number,
  ) {
    super(token);
  }

  protected async turn(turn: number): Promise<void> {
    const title = `${this.name}-${turn}`;
    const body = new FormData();
    for (const [name, value] of Object.entries({ title, content: 'x', pids: 'p_1' })) {
      body.append(name, value);
    }
    body.append('image_1', new Blob([this.picture], { type: 'image/jpeg' }), 'one.jpg');
    const response = await this.send(this.call, '/v2/notes', { method: 'POST', body });
    if (response?.status === 201) this.acknowledged.push(title);
    await pause(this.pauseMs);
  }
}

/** Responses of clients by status. */
export function statusesOf(clients: readonly Client[]): Record<number, number> {
  const all: Record<number, number> = {};
  for (const { statuses } of clients) {
    for (const [status, count] of statuses) all[status] = (all[status] ?? 0) + count;
  }
  return all;
}
