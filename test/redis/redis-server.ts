import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File that a Redis keeps its data in. */
const DUMP = 'dump.rdb';

/**
 * A Redis of the test's own, that can be ended, stopped and started again. It keeps nothing beyond
 * its process, unless it is restarted.
 */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async open(): Promise<RedisServer> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const server = new RedisServer(port, await mkdtemp(join(tmpdir(), 'commonplace-redis-')));
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    const more = ['--appendonly', 'no', '--dir', this.folder, '--enable-debug-command', 'yes'];
    const child = spawn('redis-server', [...options, ...more], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('Ready to accept connections')) break;
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
    await rm(join(this.folder, DUMP), { force: true });
  }

  /** Ends it in good order, and starts it again with what it had. */
  async restart(): Promise<void> {
    const child = this.child as ChildProcess;
    const ended = once(child, 'exit');
    const client = connect(this.port, '127.0.0.1');
    client.on('error', () => undefined).write('SHUTDOWN SAVE\r\n');
    await ended;
    client.destroy();
    await this.start();
  }

  /** Ends it, and removes what it has kept. */
  async close(): Promise<void> {
    this.goOn();
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Keeps its connections, and sends no response until it continues. */
  hang(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }
}
