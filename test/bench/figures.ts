import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ImportCost, type Site } from './database';
import { finish, startServer, stopServer, type Script, type Served } from './processes';
import { checkSearch } from './search-check';
import { median } from './statistics';
import { cpuOf, memoryOf } from './usage';

const STARTS = 5;
/** Seconds without requests after which a server is at rest. */
const REST_SECONDS = 25;
/** What the server prints when it is ready. */
export const READY = 'serves on';

/** A measured value with the value that is asked for. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly asked?: { readonly most?: number; readonly least?: number };
}

const most = (name: string, value: number, unit: string, limit?: number): Figure => ({
  ...{ name, value, unit },
  ...(limit === undefined ? {} : { asked: { most: limit } }),
});

/** The first start on an empty data directory, and later ones with the sample that it leaves. */
export async function measureStarts(folder: string, script: Script): Promise<Figure[]> {
  const env = { ...script.env, DATA_DIR: join(folder, 'start') };
  const start = async (
    restSeconds = 0,
  ): Promise<Served & { cpuMs: number; startMb: number; restMb: number }> => {
    const served = await startServer({ ...script, env }, READY);
    const atStart = { cpuMs: cpuOf(served.pid), startMb: memoryOf(served.pid).now };
    await pause(restSeconds * 1000);
    const usage = { ...atStart, restMb: memoryOf(served.pid).now };
    await stopServer(served);
    return { ...served, ...usage };
  };
  const first = await start();
  const { restMb } = await start(REST_SECONDS);
  const later = [];
  for (let at = 0; at < STARTS; at += 1) later.push(await start());
  return [
    most('start-first', first.ready / 1000, 's', 15),
    most('start-later', median(later.map(({ ready }) => ready)) / 1000, 's', 1),
    most('start-later-cpu', median(later.map(({ cpuMs }) => cpuMs)) / 1000, 's'),
    most('memory-start', median(later.map(({ startMb }) => startMb)), 'MB'),
    most('memory-rest', restMb, 'MB', 130),
  ];
}

/** Durations of commands on a database that runs. */
export async function measureCommands({ build, env }: Site): Promise<Figure[]> {
  const figures: Figure[] = [];
  const commands = { 'command-help': ['--help'], 'command-user': ['user', 'show', 'synthetic1'] };
  for (const [name, args] of Object.entries(commands)) {
    const runs = [];
    for (let at = 0; at < STARTS; at += 1) {
      runs.push(await finish({ script: 'src/cli.js', build, args, env }));
    }
    figures.push(
      most(name, median(runs.map(({ seconds }) => seconds)), 's'),
      most(`${name}-cpu`, median(runs.map(({ cpuMs }) => cpuMs)) / 1000, 's'),
    );
  }
  return figures;
}

/** The rate is asked for an import of a million books. */
export const importFigures = (cost: ImportCost): Figure[] => [
  { name: 'import', value: cost.booksPerSecond, unit: 'books/s', asked: { least: 10_000 } },
  most('import-cpu', cost.cpuSeconds, 's'),
  most('import-postgres-cpu', cost.postgresCpuSeconds, 's'),
  most('import-memory', cost.peakMb, 'MB', 300),
];

/** Memory of a server after the cases, when it is at rest. */
export async function memoryFigures({ pid }: Served): Promise<Figure[]> {
  await pause(REST_SECONDS * 1000);
  const { now, peak } = memoryOf(pid);
  return [most('memory-after', now, 'MB', 300), most('memory-peak', peak, 'MB')];
}

/** Parts of titles that a search did not find as it must. */
export async function searchFigures({ port }: Served, titles: string[]): Promise<Figure[]> {
  if (titles.length === 0) return [];
  const { missed } = await checkSearch(`http://127.0.0.1:${port}`, titles);
  for (const part of missed.slice(0, 10)) process.stdout.write(`  not found: ${part}\n`);
  return [most('titles-missed', missed.length, 'parts', 0)];
}

export const isMet = ({ value, asked }: Figure): boolean =>
  value <= (asked?.most ?? Infinity) && value >= (asked?.least ?? -Infinity);
