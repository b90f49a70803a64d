import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A Redis of the test's own, that keeps nothing and can be ended, stopped and started again. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  static async open(): Promise<RedisServer> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const server = new RedisServer(port);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    const child = spawn('redis-server', [...options, '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
  }

  /** As if its machine had lost power. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Keeps its connections, and answers nothing until it goes on. */
  hang(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }
}
