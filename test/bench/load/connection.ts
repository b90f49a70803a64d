import { connect, type Socket } from 'node:net';

/** One response. */
export interface Response {
  readonly status: number;
  /** From the first byte of the request to the last byte of the response. */
  readonly milliseconds: number;
  /** Status line, header fields and body together. */
  readonly bytes: number;
  /** Status line and header fields. */
  readonly head: string;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Length of the response at the start of `received`; undefined while it is incomplete. */
function lengthOf(received: Buffer, head: string, status: number): number | undefined {
  const start = head.length + HEAD_END.length;
  if (status === 304 || status === 204) return start;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return received.length >= end ? end : undefined;
  }
  // Requests are not pipelined, so the last chunk ends what was received.
  return received.subarray(-LAST_CHUNK.length).toString('latin1') === LAST_CHUNK
    ? received.length
    : undefined;
}

/**
 * A keep-alive connection that sends one request after another. It is written for little CPU time:
 * the load generator shares the machine with the servers that it measures.
 */
export class Connection {
  private socket: Socket | undefined;
  private received: Buffer | undefined;
  private began = 0;
  private settle: ((response: Response) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;

  constructor(private readonly port: number) {}

  /** Connects unless it is connected. @throws Error if the server does not accept */
  async open(): Promise<void> {
    if (this.socket) return;
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    socket.on('data', (chunk) => {
      this.receive(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.socket = undefined;
      this.fail?.(new Error('the server closed the connection'));
    });
    this.socket = socket;
  }

  /** Sends a complete request. @throws Error if the connection is closed before the response */
  send(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
      this.received = undefined;
      this.began = performance.now();
      if (this.socket) this.socket.write(request);
      else reject(new Error('not connected'));
    });
  }

  close(): void {
    this.fail = undefined;
    this.socket?.destroy();
  }

  private receive(chunk: Buffer): void {
    const received = this.received ? Buffer.concat([this.received, chunk]) : chunk;
    this.received = received;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const bytes = lengthOf(received, head, status);
    if (bytes === undefined) return;
    const milliseconds = performance.now() - this.began;
    this.settle?.({ status, milliseconds, bytes, head });
  }
}
