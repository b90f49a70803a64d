import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { databaseOf } from './address';
import { casesOf } from './cases/cases';
import { CpuQuota } from './cpu-quota';
import { load, withClient, type Site } from './database';
import { READY } from './figures';
import { makeFolder } from './folder';
import { startGenerator } from './load/load';
import { OWN_BUILD, startServer, stopServer, type Served } from './processes';
import { Rounds, type Measured, type Row, type Server } from './rounds';
import { serviceScript } from './service';
import { postmasterOf } from './usage';
import { readSample, volumeFor } from './volume';

/** Records that fit into the memory of responses, records and lists from PostgreSQL, and writes. */
const CASES = ['book-hot', 'book-304', 'film-hot', 'top250', 'book-cold', 'collections', 'collect'];
const BOOKS = 4000;
/** Connections: enough for the workers to handle several requests at a time. */
const CLIENTS = 100;
const SEED = 1;
/** Seconds of a round. */
const SECONDS = 1;

const EXPLANATION = `Requests a second of both and their ratio; milliseconds of CPU time for 1,000 requests of the service
with one worker and with several, and of PostgreSQL; CPUs that the servers used; load: share of one CPU
that the load generator used.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** CPUs that a server used, with its children. At its share, nothing else limits its rate. */
const cpusUsedBy = ({ rate, serverCpuMs }: Measured): string =>
  ((rate * serverCpuMs) / 1e6).toFixed(2);

function printRow({ name, measured, ratios, generator }: Row): void {
  const { server: many, against: one } = measured;
  if (!many || !one) return;
  const cells = [
    one.rate.toFixed(0),
    many.rate.toFixed(0),
    ratios.against?.median.toFixed(2) ?? '',
    one.serverCpuMs.toFixed(1),
    many.serverCpuMs.toFixed(1),
    many.postgresCpuMs.toFixed(1),
    cpusUsedBy(one),
    cpusUsedBy(many),
    `${(generator * 100).toFixed(0)}%`,
  ];
  print(name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join(''));
}

/**
 * Compares a server with one worker to one with several. On a small machine, each gets only a share
 * of a CPU for each worker: otherwise the load generator and PostgreSQL would take the CPUs of
 * further workers.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '9' },
      cases: { type: 'string', default: CASES.join(',') },
      'cpus-per-worker': { type: 'string', default: '0.5' },
    },
  });
  const names = values.cases.split(',');
  const cpusPerWorker = Number(values['cpus-per-worker']);
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  const embedded = await openEmbedded({ dataDir });
  const served: Served[] = [];
  const quotas: CpuQuota[] = [];
  const generator = startGenerator();
  try {
    const url = await databaseOf(embedded.url, 'bench0');
    const postmaster = postmasterOf(dataDir);
    const env = { DATABASE_URL: url, DATA_DIR: dataDir };
    const site: Site = { build: OWN_BUILD, url, postmaster, env };
    const volume = volumeFor(BOOKS, SEED);
    await load(site, folder, volume);
    const sample = await withClient(site, readSample);
    const options = { rounds: Number(values.rounds), seconds: SECONDS, seed: SEED };
    const serverOf = async (name: Server['name'], workers: string): Promise<Server> => {
      const server = await startServer(serviceScript(site, { WORKERS: workers }), READY);
      served.push(server);
      const quota = CpuQuota.open(name, Number(workers) * cpusPerWorker);
      quota?.add(server.pid);
      if (quota) quotas.push(quota);
      return { name, pid: server.pid, port: server.port, postmaster };
    };
    const servers = [await serverOf('against', '1'), await serverOf('server', values.workers)];
    print(`Node ${process.version}, ${cpus().length} CPUs, 1 and ${values.workers} workers`);
    print(
      quotas.length === servers.length
        ? `A server may use ${cpusPerWorker} CPUs for each worker, its parent process included.`
        : 'The servers may use all CPUs: only root can limit them.',
    );
    print(EXPLANATION);
    const head = ['1 worker', `${values.workers}`, 'ratio'];
    head.push('CPU of 1', 'of all', 'PG', 'CPUs of 1', 'of all', 'load');
    print('case'.padEnd(16) + head.map((cell) => cell.padStart(10)).join(''));
    const rounds = new Rounds(generator, options);
    const context = { ...options, volume, sample };
    for (const one of casesOf(context).filter(({ name }) => names.includes(name))) {
      printRow(await rounds.measure({ ...one, clients: CLIENTS }, servers));
    }
  } finally {
    generator.stop();
    for (const server of served) await stopServer(server);
    for (const quota of quotas) quota.close();
    await embedded.release();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
