import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../src/server/listen';
import { makeCertificate } from '../e2e/process/certificate';
import { Connection } from '../e2e/process/connection';
import { until, Workshop, type Ended, type Server } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';

const ROOT = join(__dirname, '../..');

/** Debian's daemons are where root's path leads. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];

/** Addresses and folders of a test of a shipped configuration. */
export interface Places {
  /** Folder of the test, with the certificate: `cert.pem`, `key.pem`, and both in `both.pem`. */
  readonly folder: string;
  /** Ports of the proxy. */
  readonly http: number;
  readonly https: number;
  /** Free ports, for connections within the proxy. */
  readonly inner: readonly [http: number, https: number];
}

/** A proxy that is tested: its configuration, as shipped, and how it is run. */
export interface ProxyProgram {
  /** Name of the file in `deploy/`, and of its copy in the test's folder. */
  readonly config: string;
  /** Whether its responses to headers that it cannot read have a fixed format of its own. */
  readonly hasOwnRefusals?: boolean;
  /** Replacements in the file, besides the servers' ports 3001 to 3003. */
  replacements(places: Places): Readonly<Record<string, string>>;
  /** The command that only reads the configuration. */
  check(config: string): readonly string[];
  /** The command that runs it in the foreground. */
  run(config: string): readonly string[];
}

/**
 * The text of a configuration with its ports and paths replaced.
 *
 * @throws Error when the file does not have what is to be replaced
 */
export function substitute(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [shipped, tested] of Object.entries(replacements)) {
    if (!result.includes(shipped)) throw new Error(`the file does not have "${shipped}"`);
    result = result.replaceAll(shipped, tested);
  }
  return result;
}

/** Runs a command to its end. */
async function ended([program = '', ...args]: readonly string[]): Promise<number | string> {
  const child = spawn(program, args, { stdio: STDIO, env: ENVIRONMENT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return code === 0 ? 0 : output;
}

/** Three servers on one database, behind a proxy that runs a shipped configuration. */
export class Proxied {
  private output = '';

  private constructor(
    readonly workshop: Workshop,
    readonly opened: TestDatabase,
    readonly places: Places,
    readonly ports: readonly number[],
    private readonly settings: Readonly<Record<string, string>>,
    private readonly proxy: ChildProcess,
  ) {
    for (const stream of [proxy.stdout, proxy.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  readonly servers: Server[] = [];

  /** @param settings of the servers */
  static async open(
    program: ProxyProgram,
    settings: Readonly<Record<string, string>>,
  ): Promise<Proxied> {
    const workshop = await Workshop.open();
    const opened = await openTestDatabase();
    const ports = [await freePort(), await freePort(), await freePort()];
    const places: Places = {
      folder: workshop.folder,
      http: await freePort(),
      https: await freePort(),
      inner: [await freePort(), await freePort()],
    };
    const { cert, key } = makeCertificate('localhost');
    const write = (name: string, text: string) => writeFile(join(workshop.folder, name), text);
    await Promise.all([
      write('cert.pem', cert),
      write('key.pem', key),
      write('both.pem', cert + key),
    ]);
    const shipped = await readFile(join(ROOT, 'deploy', program.config), 'utf8');
    const text = substitute(shipped, {
      ...Object.fromEntries(
        ports.map((port, at) => [`127.0.0.1:300${at + 1}`, `127.0.0.1:${port}`]),
      ),
      ...program.replacements(places),
    });
    const config = join(workshop.folder, program.config);
    await writeFile(config, text);
    const checked = await ended(program.check(config));
    if (checked !== 0) throw new Error(`deploy/${program.config}: ${checked}`);
    const [command = '', ...args] = program.run(config);
    const child = spawn(command, args, { stdio: STDIO, env: ENVIRONMENT });
    const proxied = new Proxied(workshop, opened, places, ports, settings, child);
    await proxied.listens();
    return proxied;
  }

  private listens(): Promise<void> {
    return until(async () => {
      if (this.proxy.exitCode !== null) throw new Error(`the proxy has ended: ${this.output}`);
      return !(await Connection.refused(this.places.https));
    });
  }

  /** Starts the server at a place, and waits until the proxy can send requests to it. */
  async start(at: number): Promise<void> {
    const server = await this.workshop.serve({
      DATABASE_URL: this.opened.url,
      PORT: String(this.ports[at]),
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'warn',
      ...this.settings,
    });
    await until(async () => (await server.get('/readyz'))[0] === 200);
    this.servers[at] = server;
  }

  /** Stops the server at a place, and waits for its end. */
  async stop(at: number): Promise<Ended> {
    const server = this.servers[at];
    if (!server) throw new Error('there is no such server');
    return server.stop();
  }

  /** Output of the proxy. */
  get log(): string {
    return this.output;
  }

  async close(): Promise<void> {
    const gone = once(this.proxy, 'close');
    if (this.proxy.exitCode === null && this.proxy.signalCode === null) {
      this.proxy.kill('SIGTERM');
      await gone;
    }
    await this.workshop.close();
    await this.opened.close();
  }
}
