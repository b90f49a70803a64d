import { isMet, type Figure } from './figures';
import { type Row } from './rounds';
import { type Spread } from './statistics';

/** Names and widths of the columns. The first is aligned to the left, the others to the right. */
const COLUMNS = [
  ['case', 22],
  ['asked', 9],
  ['measured', 19],
  ['', 8],
  ['server/s', 9],
  ['bare/s', 7],
  ['of fastify', 18],
  ['of against', 18],
  ['by CPU', 6],
  ['p50', 6],
  ['p95', 6],
  ['CPU', 6],
  ['PG', 6],
  ['bare', 6],
  ['PG', 6],
  ['load', 5],
] as const;

const print = (line: string): void => void process.stdout.write(`${line.trimEnd()}\n`);

const printCells = (cells: readonly string[]): void => {
  const padded = COLUMNS.map(([, width], at) =>
    at === 0 ? (cells[0] ?? '').padEnd(width) : (cells[at] ?? '').padStart(width),
  );
  print(padded.join(' '));
};

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

const spread = (value: Spread | undefined): string =>
  value === undefined ? '' : `${number(value.median)} (${number(value.q1)}-${number(value.q3)})`;

/** Less than another build by more than the spread of the rounds. */
const SLOWER = 0.97;

/** Whether the service was slower than the build that it is compared with. */
export const isSlower = ({ ratios: { against } }: Row): boolean =>
  against !== undefined && against.median < SLOWER && against.q3 < 1;

/** Whether a case is as fast as is asked. */
export function isRowMet({ asked, ratios, measured }: Row): boolean {
  const ratio = ratios.bare?.median ?? 0;
  return (
    (asked.ratio === undefined || ratio >= asked.ratio) &&
    (asked.p95 === undefined || (measured.server?.p95 ?? 0) <= asked.p95)
  );
}

function verdictOf(row: Row): string {
  if (!row.correct) return 'WRONG';
  if (isSlower(row)) return 'SLOWER';
  const { ratio, p95 } = row.asked;
  if (ratio === undefined && p95 === undefined) return '';
  return isRowMet(row) ? 'met' : 'not met';
}

/** The names of the columns, and what they mean. */
export function printHead(): void {
  print('asked, measured: the ratio of the rates of the service and of bare (median of the paired');
  print(
    'rounds, quartiles), or p95 in milliseconds. of fastify, of against: the same ratio to them.',
  );
  print(
    'p50, p95: milliseconds. CPU, PG: milliseconds of CPU time for 1,000 requests of the service',
  );
  print('and of its PostgreSQL, then of bare and its PostgreSQL. load: share of one core that the');
  print('load generator uses.\n');
  printCells(COLUMNS.map(([name]) => name));
}

/** A case, and every response that was not expected. */
export function printRow(row: Row): void {
  const { name, asked, measured, ratios, cpuRatio, generator } = row;
  const { server, bare } = measured;
  const p95 = asked.p95 === undefined ? '' : `<= ${asked.p95} ms`;
  printCells([
    name,
    asked.ratio === undefined ? p95 : `>= ${asked.ratio}`,
    ratios.bare ? spread(ratios.bare) : `${number(server?.p95)} ms`,
    verdictOf(row),
    number(server?.rate),
    number(bare?.rate),
    spread(ratios.fastify),
    spread(ratios.against),
    number(cpuRatio),
    number(server?.p50),
    number(server?.p95),
    number(server?.serverCpuMs),
    number(server?.postgresCpuMs),
    number(bare?.serverCpuMs),
    number(bare?.postgresCpuMs),
    `${(generator * 100).toFixed(0)}%`,
  ]);
  for (const [target, { failed, failure, requests }] of Object.entries(measured)) {
    if (failed > 0) print(`  ${target}: ${failed} of ${requests} responses: ${failure ?? ''}`);
  }
}

/** A figure of the service, beside that of the build that it is compared with. */
export function printFigure(figure: Figure, against?: Figure): void {
  const { name, value, unit, asked } = figure;
  const least = asked?.least === undefined ? '' : `>= ${asked.least}`;
  printCells([
    name,
    asked?.most === undefined ? least : `<= ${asked.most}`,
    `${number(value)} ${unit}`,
    asked ? (isMet(figure) ? 'met' : 'not met') : '',
    ...['', '', ''],
    against ? `${number(against.value)} ${unit}` : '',
  ]);
}
