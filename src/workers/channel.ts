/** Handles a request of the other process. Its result must be JSON. */
export type RequestHandler = (payload: unknown) => unknown;

/** One end of a connection between two processes, such as the IPC channel of a child process. */
export interface Transport {
  /** Sends a JSON value. It must not throw when the connection is closed. */
  send(message: unknown): void;
  /** Registers the receiver of messages. */
  receive(listener: (message: unknown) => void): void;
}

type Message =
  | { readonly request: number; readonly topic: string; readonly payload: unknown }
  | { readonly response: number; readonly payload?: unknown; readonly error?: string };

/** The member that distinguishes these messages from others on the same connection. */
const BATCH = 'commonplace';

/** Milliseconds until a request without a response fails, because the other process hangs. */
const TIMEOUT_MS = 5000;

interface Pending {
  readonly topic: string;
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const endedError = (topic: string): Error => new Error(`the other process has ended: ${topic}`);

/**
 * Requests and responses between the parent process and a worker. Messages of the same turn of the
 * event loop are sent as one, because each message costs a system call and a wake-up of the other
 * process.
 */
export class Channel {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly pending = new Map<number, Pending>();
  private batch: Message[] = [];
  private lastNumber = 0;
  private isClosed = false;
  /** Number of batches sent, for tests. */
  batchesSent = 0;

  constructor(private readonly transport: Transport) {
    transport.receive((message) => {
      const batch = (message as Record<string, unknown> | null)?.[BATCH];
      if (Array.isArray(batch)) for (const one of batch as Message[]) this.take(one);
    });
  }

  /** Registers the handler of a topic. A handler may return a promise. */
  handle(topic: string, handler: RequestHandler): void {
    this.handlers.set(topic, handler);
  }

  /**
   * Sends a request to the other process.
   *
   * @throws Error when it does not respond within five seconds, has ended, or its handler fails
   */
  request<T>(topic: string, payload: unknown = null): Promise<T> {
    if (this.isClosed) return Promise.reject(endedError(topic));
    this.lastNumber += 1;
    const number = this.lastNumber;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(number);
        reject(new Error(`no response from the other process: ${topic}`));
      }, TIMEOUT_MS).unref();
      const fulfil = resolve as (payload: unknown) => void;
      this.pending.set(number, { topic, resolve: fulfil, reject, timer });
      this.post({ request: number, topic, payload });
    });
  }

  /** Rejects all requests, those that wait for a response too: the other process has ended. */
  close(): void {
    this.isClosed = true;
    for (const { topic, reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(endedError(topic));
    }
    this.pending.clear();
  }

  private post(message: Message): void {
    this.batch.push(message);
    if (this.batch.length > 1) return;
    setImmediate(() => {
      const { batch } = this;
      this.batch = [];
      this.batchesSent += 1;
      this.transport.send({ [BATCH]: batch });
    });
  }

  private take(message: Message): void {
    if ('request' in message) {
      void this.respond(message.request, message.topic, message.payload);
      return;
    }
    const pending = this.pending.get(message.response);
    if (!pending) return;
    this.pending.delete(message.response);
    clearTimeout(pending.timer);
    if (message.error === undefined) pending.resolve(message.payload);
    else pending.reject(new Error(message.error));
  }

  private async respond(number: number, topic: string, payload: unknown): Promise<void> {
    const handler = this.handlers.get(topic);
    try {
      if (!handler) throw new Error(`no handler for ${topic}`);
      this.post({ response: number, payload: await handler(payload) });
    } catch (error) {
      this.post({ response: number, error: (error as Error).message });
    }
  }
}
