import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Server as TlsServer, type TLSSocket } from 'node:tls';
import { type NextFunction, type Request, type Response } from 'express';

/** How often kept-alive connections that went idle are closed while draining, in milliseconds. */
const SWEEP_MS = 50;

/** What tells a connection from all others that are open. */
const endsOf = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

/**
 * Ends servers in good order: requests that run are answered, new ones are refused. Nest's own
 * way waits for kept-alive connections instead.
 */
export class Drain {
  private draining = false;
  private readonly servers: Server[] = [];
  /** Open connections, and how many requests of each are being answered. */
  private readonly running = new Map<Socket, number>();
  /** Connections that have not agreed on encryption yet, by both their ends. */
  private readonly greeting = new Map<string, Socket>();

  /** Watches a server from before its first connection. */
  watch(server: Server): void {
    this.servers.push(server);
    const encrypted = server instanceof TlsServer;
    server.on('connection', (socket: Socket) => {
      this.add(socket);
      if (!encrypted) return;
      const ends = endsOf(socket);
      this.greeting.set(ends, socket);
      socket.on('close', () => {
        if (this.greeting.get(ends) === socket) this.greeting.delete(ends);
      });
    });
    // From now on it is known by the socket that its requests come from.
    server.on('secureConnection', (socket: TLSSocket) => {
      const ends = endsOf(socket);
      const beneath = this.greeting.get(ends);
      if (beneath) this.running.delete(beneath);
      this.greeting.delete(ends);
      this.add(socket);
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.count(socket, 1);
      response.on('close', () => {
        this.count(socket, -1);
      });
    });
  }

  private add(socket: Socket): void {
    this.running.set(socket, 0);
    socket.on('close', () => this.running.delete(socket));
  }

  private count(socket: Socket, change: number): void {
    const running = this.running.get(socket);
    if (running !== undefined) this.running.set(socket, running + change);
  }

  /** Node closes idle connections only when they have asked for something before. */
  private closeIdle(): void {
    for (const [socket, running] of this.running) if (running === 0) socket.destroySoon();
  }

  /** Stands before every route: refuses what comes over connections that are still open. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (!this.draining) {
      next();
      return;
    }
    response.writeHead(503, { Connection: 'close', 'Retry-After': '2', 'Content-Length': 0 }).end();
  };

  /**
   * Stops taking connections, on all servers, and waits for the answers under way.
   *
   * @returns false when they took longer than `seconds`, and were cut off
   */
  async run(seconds: number): Promise<boolean> {
    this.draining = true;
    const closed = Promise.all(
      this.servers.map(
        (server) =>
          new Promise<void>((resolve) => {
            server.close(() => {
              resolve();
            });
          }),
      ),
    );
    this.closeIdle();
    const sweep = setInterval(() => {
      this.closeIdle();
    }, SWEEP_MS);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => {
        resolve('late');
      }, seconds * 1000);
    });
    const result = await Promise.race([closed, late]);
    clearInterval(sweep);
    clearTimeout(timer);
    if (result === 'late') for (const socket of this.running.keys()) socket.destroy();
    return result !== 'late';
  }
}
