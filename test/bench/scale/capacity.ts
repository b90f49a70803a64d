import { readFile } from 'node:fs/promises';
import { type Row } from '../rounds';
import { print } from './report';

/** CPU time of 1,000 requests in milliseconds, or of one request in microseconds. */
interface Cost {
  readonly api: number;
  readonly postgres: number;
}

/** Cases of the benchmark that stand for a kind of request. */
const KINDS = [
  ['read from memory', 'book-hot'],
  ['read from PostgreSQL', 'book-cold'],
  ['list from PostgreSQL', 'collections'],
  ['search, common words', 'search-common-4'],
  ['mix with 5 % writes', 'mix'],
  ['write', 'collect'],
] as const;

const WRITES = 0.05;
const CORES = 8;
const REPLICAS = [0, 1, 2, 4, 8];
const MICROSECONDS = 1_000_000;

/**
 * The maximum number of requests a second, and the servers whose cores are all busy then. The
 * primary executes writes; the replicas execute reads, or the primary if there are none. No
 * response comes from memory, and the replay of writes on the replicas is not included.
 */
function maxRequestRate(
  reads: Cost,
  writes: Cost,
  replicas: number,
): { rate: number; bottleneck: string } {
  const ofPrimary = (CORES * MICROSECONDS) / (WRITES * writes.postgres);
  const ofReads = (1 - WRITES) * reads.postgres;
  if (replicas === 0) {
    const both = WRITES * writes.postgres + ofReads;
    return { rate: (CORES * MICROSECONDS) / both, bottleneck: 'primary' };
  }
  const ofReplicas = (replicas * CORES * MICROSECONDS) / ofReads;
  return ofPrimary < ofReplicas
    ? { rate: ofPrimary, bottleneck: 'primary' }
    : { rate: ofReplicas, bottleneck: 'replicas' };
}

const rounded = (value: number): string => String(Number(value.toPrecision(2)));

/**
 * Prints how many requests a second cores serve, from the CPU times of a run of the benchmark.
 *
 * @param file written by `npm run bench -- --json`
 * @throws Error when a case is missing
 */
export async function printCapacity(file: string): Promise<void> {
  const { rows } = JSON.parse(await readFile(file, 'utf8')) as { readonly rows: readonly Row[] };
  const costOf = (name: string): Cost => {
    const measured = rows.find((row) => row.name === name)?.measured.server;
    if (!measured) throw new Error(`${file} has no case ${name}`);
    return { api: measured.serverCpuMs, postgres: measured.postgresCpuMs };
  };
  print('Milliseconds of CPU time for 1,000 requests, and requests a second of one core');
  print(
    `${''.padEnd(24)}${'API'.padStart(8)}${'PostgreSQL'.padStart(12)}${'one core'.padStart(10)}`,
  );
  for (const [kind, name] of KINDS) {
    const { api, postgres } = costOf(name);
    const cells = [api, postgres, MICROSECONDS / (api + postgres)].map(rounded);
    const [first, second, third] = cells as [string, string, string];
    print(`${kind.padEnd(24)}${first.padStart(8)}${second.padStart(12)}${third.padStart(10)}`);
  }
  const [reads, writes] = [costOf('book-cold'), costOf('collect')];
  const api = WRITES * writes.api + (1 - WRITES) * reads.api;
  print(
    `\nMaximum requests a second with ${WRITES * 100} % writes, none from memory, ${CORES} cores for each PostgreSQL`,
  );
  for (const replicas of REPLICAS) {
    const { rate, bottleneck } = maxRequestRate(reads, writes, replicas);
    const cores = rounded((rate * api) / MICROSECONDS);
    print(
      `${replicas} replicas: ${rounded(rate)}, ${cores} cores for the API; bottleneck: ${bottleneck}`,
    );
  }
}
