import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request that the stub received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response of the stub: JSON or text, with a status and headers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly text?: string;
  /** Breaks the connection in the middle of the body, or leaves it open. */
  readonly incomplete?: 'broken' | 'silent';
  /** Breaks the connection instead. */
  readonly broken?: boolean;
  /** Never responds. */
  readonly silent?: boolean;
}

/** A server on the loopback interface that responds as a test says, and remembers the requests. */
export class StubServer {
  readonly received: Received[] = [];
  private readonly server = createServer((request, response) => {
    void this.handle(request, response);
  });
  /** Makes the response of a request; `count` is the number of requests so far. */
  reply: (request: Received, count: number) => Reply | Promise<Reply> = () => ({});

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body };
    this.received.push(received);
    const reply = await this.reply(received, this.received.length);
    if (reply.broken) request.socket.destroy();
    if (reply.broken || reply.silent) return;
    const { status = 200, json = {}, text = JSON.stringify(json), incomplete } = reply;
    response.writeHead(status, { 'Content-Type': 'application/json', ...reply.headers });
    if (!incomplete) response.end(status === 204 ? undefined : text);
    else if (incomplete === 'silent') response.write(text);
    else response.write(text, () => request.socket.destroy());
  }
}
