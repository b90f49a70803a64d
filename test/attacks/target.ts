import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SCOPES } from '../../src/api/access/access';
import { ApplicationsRepository } from '../../src/oauth/applications.repository';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { type CallersService } from '../../src/oauth/callers.service';
import { OauthRepository } from '../../src/oauth/oauth.repository';
import { Workshop, type Ended, type Environment, type Server } from '../e2e/process/programs';
import { Factories } from '../factories/factories';
import { atShare, figure, FULL_SCALE } from '../figures';
import { openTestDatabase, type TestDatabase, type TokenOptions } from '../harness';
import { callAt, type Call } from '../http';

const MEGABYTE = 1024 * 1024;

/** Seconds within which a server is at rest again after an attack. */
export const RECOVERY_SECONDS = 35;

/** Connections that the server's pool holds at most: they may be open or not at any moment. */
const POOL = 10;
/** Descriptors that are ignored: those of the pool and of the connection of a probe. */
const SPARE_DESCRIPTORS = POOL + 1;

/** MB above rest that no attack may make a server hold. */
const MAX_MEMORY = 400;

/** Milliseconds between two looks at what a process holds. */
const LOOK_MS = 100;

/** Resources of a process. */
export interface Usage {
  /** Resident memory in MB. */
  readonly memory: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

/** Measurements of a server during an attack. */
export interface Observed {
  /** Seconds that each request to `/healthz` took. */
  readonly seconds: readonly number[];
  /** Why probes failed; empty when all were answered with 200. */
  readonly failures: readonly string[];
  /** The most that the process held at any look. */
  readonly most: Usage;
}

/**
 * Resources of a process, from Linux's `/proc`.
 *
 * @throws Error when the process is gone
 */
export async function usageOf(pid: number): Promise<Usage> {
  const [statm, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
  ]);
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(statm)?.[1]);
  return { memory: (kilobytes * 1024) / MEGABYTE, descriptors: descriptors.length };
}

/** Observes a server until it is stopped: `/healthz` from a thread of its own, and its process. */
class Observation {
  private readonly worker: Worker;
  private stopped = false;
  private most: Usage = { memory: 0, descriptors: 0 };
  private readonly looking: Promise<void>;

  constructor(
    origin: string,
    private readonly pid: number,
  ) {
    this.worker = new Worker(join(__dirname, 'probe.js'), { workerData: { origin } });
    this.looking = this.look();
  }

  private async look(): Promise<void> {
    while (!this.stopped) {
      const { memory, descriptors } = await usageOf(this.pid);
      this.most = {
        memory: Math.max(this.most.memory, memory),
        descriptors: Math.max(this.most.descriptors, descriptors),
      };
      await pause(LOOK_MS);
    }
  }

  async stop(): Promise<Observed> {
    this.stopped = true;
    const message = once(this.worker, 'message');
    this.worker.postMessage('stop');
    const [seen] = (await message) as [Omit<Observed, 'most'>];
    await Promise.all([this.worker.terminate(), this.looking]);
    return { ...seen, most: this.most };
  }
}

/**
 * A server under attack: a process of its own on a database of its own, whose memory, descriptors
 * and `/healthz` are observed meanwhile.
 *
 *     const target = await Target.start();
 *     const responses = await target.attack('half headers', () => ...);
 *     await target.close();
 */
export class Target {
  readonly call: Call;
  /** Makes records in the server's database. */
  readonly make: Factories;
  private readonly applications: ApplicationsService;

  private constructor(
    private readonly workshop: Workshop,
    readonly opened: TestDatabase,
    readonly server: Server,
  ) {
    this.call = callAt(server.origin);
    const { database } = opened;
    this.make = new Factories(database);
    this.applications = new ApplicationsService(
      database,
      new ApplicationsRepository(database),
      new OauthRepository(database),
      // Only revoking tells the callers that are remembered, which are another process's here.
      undefined as unknown as CallersService,
    );
  }

  /** @param settings of the server; its calls are not limited unless these say so */
  static async start(settings: Environment = {}): Promise<Target> {
    const opened = await openTestDatabase();
    const workshop = await Workshop.open();
    const pictures = join(workshop.folder, 'pictures');
    const env = {
      DATABASE_URL: opened.url,
      DATABASE_POOL: String(POOL),
      PICTURES_DIR: pictures,
      LOG_LEVEL: 'error',
    };
    const server = await workshop.serve({ ...env, ...settings });
    const target = new Target(workshop, opened, server);
    await target.call('/readyz');
    return target;
  }

  get origin(): string {
    return this.server.origin;
  }

  get port(): number {
    return this.server.port;
  }

  /** Runs a command on the same database to its end. */
  command(args: readonly string[]): Promise<Ended> {
    return this.workshop.cli({ DATABASE_URL: this.opened.url }, args);
  }

  /** The working directory of the server. */
  get folder(): string {
    return this.workshop.folder;
  }

  get pid(): number {
    return Number(this.server.program.child.pid);
  }

  /** Current resources of the server. */
  usage(): Promise<Usage> {
    return usageOf(this.pid);
  }

  /** A token of a fresh application. */
  async token({ userId, scopes = SCOPES, level, ttl = 3600 }: TokenOptions = {}): Promise<string> {
    const { clientId } = await this.applications.create({ name: 'attack', level, scopes });
    return this.applications.issue({ clientId, userId, scopes, ttl });
  }

  /**
   * Runs an attack, observes the server meanwhile, and waits until it is at rest again. `/healthz`
   * must answer throughout; how soon, and what the process holds afterwards, are figures.
   *
   * @param name of the attack, for the figures
   * @param share of the requests to `/healthz` that must be answered within a second
   * @returns what the attack returns
   */
  async attack<T>(name: string, work: () => Promise<T>, share = 1): Promise<T> {
    const rest = await this.usage();
    const observation = new Observation(this.origin, this.pid);
    const done = await this.survive(name, rest, work).catch((error: unknown) => ({ error }));
    const { seconds, failures, most } = await observation.stop();
    if ('error' in done) throw done.error;
    if (failures.length > 0) {
      throw new Error(`${name}: /healthz failed ${failures.length} times: ${failures[0]}`);
    }
    const quantile = share === 1 ? 'slowest' : `${share * 100} in 100`;
    figure(`${name}: ${quantile} /healthz in s`, atShare(seconds, share), { atMost: 1 });
    figure(`${name}: highest memory above rest in MB`, most.memory - rest.memory, {
      atMost: MAX_MEMORY,
    });
    return done.result;
  }

  private async survive<T>(
    name: string,
    rest: Usage,
    work: () => Promise<T>,
  ): Promise<{ result: T }> {
    const result = await work();
    // Connections are accepted in their order: now those of the attack have been.
    await fetch(`${this.origin}/healthz`, { headers: { connection: 'close' } });
    await this.recover(name, rest);
    return { result };
  }

  /**
   * Waits until the server holds what it held at rest: no more descriptors than that, and at full
   * scale at most 100 MB more memory.
   *
   * @throws Error when descriptors are not given back within 35 s
   */
  async recover(name: string, rest: Usage): Promise<void> {
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    const descriptors = rest.descriptors + SPARE_DESCRIPTORS;
    const isAtRest = (usage: Usage): boolean =>
      usage.descriptors <= descriptors && (!FULL_SCALE || usage.memory <= rest.memory + 100);
    let now = await this.usage();
    while (!isAtRest(now) && seconds() < RECOVERY_SECONDS) {
      await pause(LOOK_MS);
      now = await this.usage();
    }
    figure(`${name}: s until the server is at rest`, seconds(), { atMost: RECOVERY_SECONDS });
    figure(`${name}: memory above rest afterwards in MB`, now.memory - rest.memory, {
      atMost: 100,
    });
    if (now.descriptors > descriptors) {
      const difference = `${now.descriptors} descriptors, ${rest.descriptors} at rest`;
      throw new Error(`${name}: after ${RECOVERY_SECONDS} s the server holds ${difference}`);
    }
  }

  async close(): Promise<void> {
    await this.workshop.close();
    await this.opened.close();
  }
}
