import { Agent, get } from 'node:http';
import autocannon, { type Request } from 'autocannon';
import { tokenOf, type Collects } from './cases';

/** What one run has to do; comes as JSON on standard input. */
export interface Run {
  readonly origin: string;
  readonly token: string;
  readonly clients: number;
  readonly seconds: number;
  readonly paths: readonly string[];
  readonly collects?: Collects;
}

/** How it went; goes as JSON to standard output. */
export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Answers other than 200. */
  readonly failed: number;
}

const pick = (paths: readonly string[]): string =>
  paths[Math.floor(Math.random() * paths.length)] ?? '/';

/**
 * Requests to collect books, each pair of user and book once: they follow each other from a place
 * of this run's own, as the synthetic collections do from theirs.
 */
function collecting({ users, books, firstBook, before }: Collects): () => Partial<Request> {
  let next = Math.floor(Math.random() * users * (books - before) * 0.9);
  return () => {
    next += 1;
    const user = next % users;
    const place = before + (Math.floor(next / users) % (books - before));
    return {
      method: 'POST',
      path: `/v2/book/${firstBook + ((place + user * 7919) % books)}/collection`,
      headers: {
        authorization: `Bearer ${tokenOf(user)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `status=read&rating=${1 + (next % 5)}&tags=tag${next % 50}+other${next % 70}`,
    };
  };
}

/** Throughput: autocannon keeps a number of connections busy. */
async function throughput(run: Run): Promise<Load> {
  const { origin, token, clients, seconds, paths, collects } = run;
  const headers = { authorization: `Bearer ${token}` };
  const next: () => Partial<Request> = collects
    ? collecting(collects)
    : () => ({ method: 'GET', headers, path: pick(paths) });
  const result = await autocannon({
    url: origin,
    connections: clients,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p95: result.latency.p97_5,
    failed: result.non2xx + result.errors,
  };
}

/** Latency: one client, one request after the other, timed to the microsecond. */
async function latency({ origin, token, seconds, paths }: Run): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const began = performance.now();
    const status = await new Promise<number>((resolve, reject) => {
      get(origin + pick(paths), { agent, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          resolve(response.statusCode ?? 0);
        });
      }).on('error', reject);
    });
    times.push(performance.now() - began);
    if (status !== 200) failed += 1;
  }
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { rate: times.length / seconds, p50: at(0.5), p95: at(0.95), failed };
}

async function main(): Promise<void> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  const run = JSON.parse(text) as Run;
  const load = run.clients === 1 ? await latency(run) : await throughput(run);
  process.stdout.write(JSON.stringify(load));
}

void main();
