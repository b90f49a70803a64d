import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/server/listen';
import { makeCertificate } from '../e2e/process/certificate';
import { Program, type Environment } from '../e2e/process/programs';
import { Postgres } from '../faults/postgres';
import { substitute } from '../faults/proxied';
import { RedisServer } from '../redis/redis-server';

const ROOT = join(__dirname, '../..');
/** Number of processes that serve requests: as many as `deploy/haproxy.cfg` has. */
const SERVERS = 3;
const READY_MS = 60_000;
const POLL_MS = 50;

/** A process of the service, which can be stopped and started again. */
export class ServiceProcess {
  private program: Program | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    readonly metricsPort: number,
    private readonly env: Environment,
    private readonly folder: string,
  ) {}

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it has written so far, with errors. */
  get output(): string {
    return `${this.program?.stdout ?? ''}${this.program?.stderr ?? ''}`;
  }

  /** Starts it, and waits until it is ready. @throws Error when it ends before */
  async start(): Promise<void> {
    const program = Program.start('main', [], this.env, this.folder);
    this.program = program;
    const deadline = Date.now() + READY_MS;
    for (;;) {
      const response = await fetch(`${this.origin}/readyz`).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) return;
      if (program.child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`${this.name} is not ready: ${this.output}`);
      }
      await pause(POLL_MS);
    }
  }

  /** Ends it with a signal, and waits for its end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { program } = this;
    if (!program) return;
    program.child.kill(signal);
    await program.ended;
  }

  /** Sum of a metric of this process; 0 when it does not answer. */
  async metric(start: string): Promise<number> {
    const url = `http://127.0.0.1:${this.metricsPort}/metrics`;
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    const lines = text.split('\n').filter((line) => line.startsWith(start));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }
}

export interface TopologyOptions {
  /** Parent of the folder with all data; a temporary one by default. */
  readonly parent?: string;
  /** Port of HAProxy with TLS; a free one by default. */
  readonly port?: number;
  /** Settings of the service. */
  readonly settings?: Environment;
}

/**
 * An installation on this machine: a primary PostgreSQL, a synchronous and an asynchronous
 * streaming replica, Redis, three processes that serve requests, one that runs jobs, and HAProxy
 * with TLS in front. It needs `redis-server` and `haproxy`. Data does not survive it, nor a crash
 * of the machine.
 */
export class Topology {
  readonly servers: ServiceProcess[] = [];
  private constructor(
    readonly folder: string,
    /** Address of HAProxy. */
    readonly origin: string,
    /** Certificate of HAProxy, PEM. */
    readonly certificate: string,
    readonly postgres: Postgres,
    /** The synchronous replica and the asynchronous one. */
    readonly replicas: readonly [Postgres, Postgres],
    readonly redis: RedisServer,
    readonly jobs: ServiceProcess,
    private readonly proxy: ChildProcess,
  ) {}

  static async start(options: TopologyOptions = {}): Promise<Topology> {
    const parent = options.parent ?? tmpdir();
    await mkdir(parent, { recursive: true });
    const folder = await realpath(await mkdtemp(join(parent, 'topology-')));
    // The account of PostgreSQL, which is not root, must be able to enter.
    await chmod(folder, 0o755);
    const primary = join(folder, 'primary');
    await mkdir(primary);
    const postgres = await Postgres.start({ folder: primary });
    const replicas = [
      await postgres.standby('replica1', folder),
      await postgres.standby('replica2', folder),
    ] as const;
    await postgres.sql(`ALTER SYSTEM SET synchronous_standby_names = 'replica1'`);
    await postgres.sql('SELECT pg_reload_conf()');
    const redis = await RedisServer.open();
    const https = options.port ?? (await freePort());
    const origin = `https://localhost:${https}`;
    const hosts = [postgres, ...replicas].map(({ host }) => host).join(',');
    const env = {
      DATABASE_URL: `${postgres.url.replace(postgres.host, hosts)}?target_session_attrs=read-write`,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(' '),
      REDIS_URL: redis.url,
      BASE_URL: origin,
      TRUSTED_PROXIES: '1',
      REQUIRE_HTTPS: 'true',
      LAME_DUCK_SECONDS: '3',
      LOG_LEVEL: 'warn',
      DATA_DIR: join(folder, 'data'),
      // Options of this process, such as a loader for TypeScript, do not apply to it.
      NODE_OPTIONS: '',
      ...options.settings,
    };
    const makeProcess = async (name: string, more: Environment): Promise<ServiceProcess> => {
      const [port, metricsPort] = [await freePort(), await freePort()];
      const own = { ...env, ...more, PORT: String(port), METRICS_PORT: String(metricsPort) };
      return new ServiceProcess(name, port, metricsPort, own, folder);
    };
    const servers: ServiceProcess[] = [];
    for (let at = 1; at <= SERVERS; at += 1) {
      servers.push(await makeProcess(`api ${at}`, { ROLE: 'api' }));
    }
    const jobs = await makeProcess('jobs', { ROLE: 'jobs' });
    const { certificate, config } = await writeProxyConfig(folder, https, servers);
    const proxy = spawn('haproxy', ['-db', '-f', config], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    proxy.on('error', () => undefined);
    const topology = new Topology(
      ...([folder, origin, certificate, postgres, replicas, redis, jobs, proxy] as const),
    );
    topology.servers.push(...servers);
    try {
      // The first migrates the database.
      for (const server of [...servers, jobs]) await server.start();
    } catch (error) {
      await topology.stop();
      throw error;
    }
    return topology;
  }

  get processes(): readonly ServiceProcess[] {
    return [...this.servers, this.jobs];
  }

  /** Takes the primary down as in a crash, and promotes the synchronous replica. */
  async failOver(): Promise<void> {
    await this.postgres.down('immediate');
    await this.replicas[0].promote();
  }

  /** Takes everything down, and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.end()));
    if (this.proxy.exitCode === null && this.proxy.pid !== undefined) {
      const gone = once(this.proxy, 'exit');
      this.proxy.kill('SIGTERM');
      await gone;
    }
    await this.redis.close();
    for (const server of [...this.replicas, this.postgres]) await server.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The shipped configuration of HAProxy with the ports of the topology. */
async function writeProxyConfig(
  folder: string,
  https: number,
  servers: readonly ServiceProcess[],
): Promise<{ certificate: string; config: string }> {
  const { cert, key } = makeCertificate('localhost', { hosts: ['localhost', '127.0.0.1'] });
  const pem = join(folder, 'haproxy.pem');
  await writeFile(pem, cert + key, { mode: 0o600 });
  await writeFile(join(folder, 'haproxy.crt'), cert);
  const shipped = await readFile(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
  const ports = servers.map(({ port }, at) => [`127.0.0.1:300${at + 1}`, `127.0.0.1:${port}`]);
  const text = substitute(shipped, {
    ...(Object.fromEntries(ports) as Record<string, string>),
    '    maxconn 4000\n': '    maxconn 1000\n',
    '    user haproxy\n    group haproxy\n': '',
    '    bind :80\n': '',
    'bind :443 ssl': `bind 127.0.0.1:${https} ssl`,
    // All clients of a topology have the same address.
    'sc0_conn_cur gt 100': 'sc0_conn_cur gt 1000',
    'sc1_http_req_rate gt 500': 'sc1_http_req_rate gt 100000',
    '/etc/haproxy/commonplace.pem': pem,
  });
  const config = join(folder, 'haproxy.cfg');
  await writeFile(config, text);
  return { certificate: cert, config };
}
