import { isService, type Case, type Requests, type Target, type TargetName } from './cases/case';
import { type Load } from './load/generator';
import { type LoadGenerator } from './load/load';
import { type Options } from './options';
import { permutation } from './random';
import { median, quantile, spreadOf, sum, type Spread } from './statistics';
import { treeCpuOf } from './usage';

/** Requests that are prepared for a second of a run; cases whose requests repeat send more. */
const MOST_A_SECOND = 20_000;
/** Default number of requests of a warm-up, and its duration in seconds for each 1,000 of them. */
const WARM_UP = { requests: 2000, secondsPer1000: 2 };
const CREATED = 201;

/** A server of the benchmark, and PostgreSQL's process id. */
export interface Server extends Target {
  readonly pid: number;
  readonly postmaster: number;
}

interface Round extends Load {
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
}

/** The rounds of a case of one server. */
export interface Measured {
  /** Requests a second: the median of the rounds. */
  readonly rate: number;
  /** Milliseconds, of all requests of all rounds. */
  readonly p50: number;
  readonly p95: number;
  readonly requests: number;
  readonly failed: number;
  /** The first response that was not expected. */
  readonly failure?: string;
  /** CPU time in milliseconds for 1,000 requests. */
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
  readonly bytesPerResponse: number;
}

/** A case of all servers. */
export interface Row {
  readonly name: string;
  readonly asked: Case['asked'];
  readonly measured: Partial<Record<TargetName, Measured>>;
  /** Ratio of the CPU time of a request of bare to that of the service, PostgreSQL included. */
  readonly cpuRatio?: number;
  /** Ratios of the rates of the service to others, of the rounds in pairs. */
  readonly ratios: Partial<Record<TargetName, Spread>>;
  /** CPU time of the load generator, as a share of one core. */
  readonly generator: number;
  /** Every response was as expected. */
  readonly correct: boolean;
}

function summarize(rounds: readonly Round[]): Measured {
  const latencies = rounds.flatMap((round) => round.latencies);
  const requests = sum(rounds.map(({ sent }) => sent));
  const failure = rounds.find((round) => round.failure !== undefined)?.failure;
  const each = (value: (round: Round) => number): number => sum(rounds.map(value)) / requests;
  return {
    rate: median(rounds.map(rateOf)),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    ...{ requests, failed: sum(rounds.map(({ failed }) => failed)) },
    ...(failure === undefined ? {} : { failure }),
    serverCpuMs: each((round) => round.serverCpuMs) * 1000,
    postgresCpuMs: each((round) => round.postgresCpuMs) * 1000,
    bytesPerResponse: each(({ bytes }) => bytes),
  };
}

const rateOf = ({ sent, seconds }: Load): number => sent / seconds;

/** Measures cases: the servers respond in turn, in short rounds. */
export class Rounds {
  constructor(
    private readonly generator: LoadGenerator,
    private readonly options: Pick<Options, 'rounds' | 'seconds' | 'seed'>,
  ) {}

  async measure(one: Case, servers: readonly Server[]): Promise<Row> {
    const targets = servers.filter((server) => one.compared || isService(server));
    const requests = new Map<Server, Requests>();
    for (const target of targets) requests.set(target, await one.open(target));
    const run = (target: Server, seconds: number, most: number): Promise<Round> =>
      this.run(one, target, requests.get(target) as Requests, { seconds, most });
    // The service last: while it is idle, it collects garbage, and V8 discards compiled functions.
    for (const target of [...targets].reverse()) {
      const count = one.warmUp ?? WARM_UP.requests;
      await run(target, (count / 1000) * WARM_UP.secondsPer1000, count);
    }
    const most = Math.ceil(this.options.seconds * MOST_A_SECOND);
    const rounds = new Map<Server, Round[]>(targets.map((target) => [target, []]));
    for (let round = 0; round < this.options.rounds; round += 1) {
      // In random order: a server may gain or lose by the one before it.
      for (const at of permutation(targets.length, this.options.seed + round)) {
        const target = targets[at] as Server;
        rounds.get(target)?.push(await run(target, this.options.seconds, most));
      }
    }
    return this.rowOf(one, rounds);
  }

  private async run(
    one: Case,
    target: Server,
    requests: Requests,
    { seconds, most }: { readonly seconds: number; readonly most: number },
  ): Promise<Round> {
    const start = await this.generator.prepare({
      ...{ port: target.port, clients: one.clients, seconds, most, repeat: requests.repeat },
      requests: requests.take(most),
      statuses: [one.status?.(target) ?? 200, CREATED],
    });
    const [server, postgres] = [treeCpuOf(target.pid), treeCpuOf(target.postmaster)];
    const load = await start();
    requests.sent(load.sent);
    const missing = isService(target) && one.headers && !one.headers.test(load.head);
    return {
      ...load,
      ...(missing ? { failed: load.sent, failure: `no ${String(one.headers)}` } : {}),
      serverCpuMs: treeCpuOf(target.pid) - server,
      postgresCpuMs: treeCpuOf(target.postmaster) - postgres,
    };
  }

  private rowOf({ name, asked }: Case, rounds: ReadonlyMap<Server, readonly Round[]>): Row {
    const all = [...rounds].map(([server, own]) => [server.name, own] as const);
    const measured: Row['measured'] = Object.fromEntries(
      all.map(([server, own]) => [server, summarize(own)]),
    );
    const cpuOfOne = ({ serverCpuMs, postgresCpuMs }: Measured): number =>
      serverCpuMs + postgresCpuMs;
    const { server: service, bare } = measured;
    const ours = all.find(([server]) => server === 'server')?.[1] ?? [];
    const ratiosTo = (other: readonly Round[]): Spread =>
      spreadOf(ours.map((round, at) => rateOf(round) / rateOf(other[at] ?? round)));
    const runs = all.flatMap(([, own]) => own);
    return {
      ...{ name, asked, measured },
      ...(service && bare ? { cpuRatio: cpuOfOne(bare) / cpuOfOne(service) } : {}),
      ratios: Object.fromEntries(
        all
          .filter(([server]) => server !== 'server')
          .map(([server, own]) => [server, ratiosTo(own)]),
      ),
      generator:
        sum(runs.map(({ cpuMs }) => cpuMs)) / 1000 / sum(runs.map(({ seconds }) => seconds)),
      correct: Object.values(measured).every(({ failed }) => failed === 0),
    };
  }
}
