import { simulateShards } from './shards';
import { type SizeFigures } from './sizes';

const SEED = 1;
/** Ratio of the cost between the largest and the smallest size that is asked for. */
const MAX_RATIO = 1.3;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

export function printFigures(all: readonly SizeFigures[]): void {
  const [least, most] = [all[0], all.at(-1)];
  if (!least || !most) return;
  print('\nPages read and milliseconds in PostgreSQL for a request');
  const head = all.map(({ books }) => `${books} books`.padStart(22)).join('');
  print(`${'case'.padEnd(34)}${head}${'pages'.padStart(8)}${'time'.padStart(8)}`);
  least.plans.forEach((first, at) => {
    const cells = all.map(({ plans }) => {
      const plan = plans[at];
      return `${plan?.buffers.toFixed(0)} / ${plan?.ms.toFixed(2)} ms`.padStart(22);
    });
    const last = most.plans[at];
    if (!last) return;
    const [pages, time] = [last.buffers / Math.max(first.buffers, 1), last.ms / first.ms];
    const grows = pages > MAX_RATIO && time > MAX_RATIO && !last.skipped;
    // A page that the smallest catalogue does not fill costs less there.
    const isFuller = last.elements > first.elements * MAX_RATIO;
    const mark = !grows ? '' : isFuller ? ' fuller page' : ' GROWS';
    const ratios = `${pages.toFixed(2).padStart(8)}${time.toFixed(2).padStart(8)}`;
    print(`${first.name.padEnd(34)}${cells.join('')}${ratios}${mark}`);
    if (last.skipped) {
      const each = ((last.ms / last.skipped) * 1000).toFixed(3);
      print(`  ${each} ms for 1,000 elements before the page (${last.skipped} of them)`);
    }
    if (isFuller) print(`  ${first.elements.toFixed(1)} and ${last.elements.toFixed(1)} elements`);
    if (grows) print(`  ${last.scans.join(', ')}`);
  });
  for (const { books, bytes, wal } of all) {
    print(`\n${books} books`);
    for (const { table, rows, each } of bytes) {
      print(`  ${table.padEnd(20)} ${rows} rows, ${each.toFixed(0)} bytes each`);
    }
    const each = bytes.find(({ table }) => table === 'collections')?.each ?? 0;
    for (const count of [1e7, 1e8, 1e9]) {
      print(`  ${count} collections: ${((each * count) / 2 ** 30).toFixed(0)} GB`);
    }
    for (const { write, bytes: log, afterCheckpoint } of wal) {
      const first = afterCheckpoint.toFixed(0);
      print(`  write-ahead log, ${write}: ${log.toFixed(0)} bytes, ${first} after a checkpoint`);
    }
  }
}

export function printShards(): void {
  print('Load of the busiest of N shards, as a multiple of the mean (Zipf, 1,000,000 items)');
  for (const { exponent, shards, busiest, hottestItem } of simulateShards(SEED)) {
    const share = (100 * hottestItem).toFixed(2);
    print(
      `exponent ${exponent}, ${shards} shards: ${busiest.toFixed(2)} (hottest item ${share} %)`,
    );
  }
}
