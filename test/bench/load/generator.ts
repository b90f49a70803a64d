import { Connection } from './connection';

/** Requests of one run. */
export interface Run {
  readonly port: number;
  /** Number of connections, each with one request at a time. */
  readonly clients: number;
  readonly seconds: number;
  /** The run ends earlier after this number of requests. */
  readonly most: number;
  /** Complete HTTP requests, sent in this order. */
  readonly requests: readonly string[];
  /** Starts again after the last request; otherwise the run ends early. */
  readonly repeat: boolean;
  /** Each response must have one of these statuses. */
  readonly statuses: readonly number[];
}

/** Result of one run. */
export interface Load {
  /** Number of requests that were sent. */
  readonly sent: number;
  /** Duration of the run. */
  readonly seconds: number;
  /** Duration of each request in milliseconds. */
  readonly latencies: readonly number[];
  /** Closed connections, and responses with another status. */
  readonly failed: number;
  /** The first status that was not expected. */
  readonly failure?: string;
  /** Bytes of all responses, with their header fields. */
  readonly bytes: number;
  /** Status line and header fields of the first response. */
  readonly head: string;
  /** CPU time of the generator. */
  readonly cpuMs: number;
}

/** Messages to the generator: a run is prepared, then started. */
export type Order = Run | 'start';
/** Messages of the generator. */
export type Report = 'prepared' | Load;

async function execute(run: Run, connections: readonly Connection[]): Promise<Load> {
  const { requests, repeat, statuses } = run;
  const latencies: number[] = [];
  let sent = 0;
  let failed = 0;
  let failure: string | undefined;
  let bytes = 0;
  let head = '';
  const cpu = process.cpuUsage();
  const began = performance.now();
  const until = began + run.seconds * 1000;
  const next = (): string | undefined => {
    if (sent >= run.most || performance.now() >= until) return undefined;
    return requests[repeat ? sent % requests.length : sent];
  };
  const client = async (connection: Connection): Promise<void> => {
    for (let request = next(); request !== undefined; request = next()) {
      sent += 1;
      try {
        await connection.open();
        const response = await connection.send(request);
        latencies.push(response.milliseconds);
        bytes += response.bytes;
        if (head === '') head = response.head;
        if (statuses.includes(response.status)) continue;
        failure ??= String(response.status);
      } catch (error) {
        failure ??= (error as Error).message;
      }
      failed += 1;
    }
  };
  await Promise.all(connections.map(client));
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...{ sent, latencies, failed, failure, bytes, head },
    seconds: (performance.now() - began) / 1000,
    cpuMs: (user + system) / 1000,
  };
}

let run: Run | undefined;
let connections: Connection[] = [];

async function prepare(next: Run): Promise<Report> {
  run = next;
  connections = Array.from({ length: next.clients }, () => new Connection(next.port));
  await Promise.all(connections.map((connection) => connection.open()));
  return 'prepared';
}

async function start(): Promise<Report> {
  if (!run) throw new Error('no run is prepared');
  const load = await execute(run, connections);
  for (const connection of connections) connection.close();
  return load;
}

process.on('message', (order: Order) => {
  void (order === 'start' ? start() : prepare(order)).then((report) => process.send?.(report));
});
