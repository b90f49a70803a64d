import { randomNumbers } from '../../../src/import-export/synthetic/synthetic';

const SHARDS = [4, 16, 64] as const;
const ITEMS = 1_000_000;
const DRAWS = 2_000_000;
/** Exponents of the Zipf distribution: measured catalogues have about 0.8 to 1.1. */
const EXPONENTS = [0.8, 1, 1.1] as const;

/** Load of the busiest shard, as a multiple of the mean. */
export interface ShardLoad {
  readonly exponent: number;
  readonly shards: number;
  /** Tables distributed by book, and by user. */
  readonly busiest: number;
  /** Share of the most popular item of all requests. */
  readonly hottestItem: number;
}

/** The shard of an item: a hash that spreads neighbouring ids (Knuth). */
const shardOf = (item: number, shards: number): number =>
  (Math.imul(item + 1, 2_654_435_761) >>> 0) % shards;

/** Simulates requests whose items follow a Zipf distribution, on hash-distributed shards. */
export function simulateShards(seed: number): ShardLoad[] {
  const random = randomNumbers(seed);
  return EXPONENTS.flatMap((exponent) => {
    const sums = new Float64Array(ITEMS);
    let total = 0;
    for (let item = 0; item < ITEMS; item += 1) {
      total += (item + 1) ** -exponent;
      sums[item] = total;
    }
    const counts = new Uint32Array(ITEMS);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const item = firstAbove(sums, random() * total);
      counts[item] = (counts[item] as number) + 1;
    }
    return SHARDS.map((shards) => {
      const loads = new Float64Array(shards);
      counts.forEach((count, item) => {
        const shard = shardOf(item, shards);
        loads[shard] = (loads[shard] as number) + count;
      });
      const busiest = Math.max(...loads) / (DRAWS / shards);
      return { exponent, shards, busiest, hottestItem: (counts[0] as number) / DRAWS };
    });
  });
}

/** Index of the first sum above a value, by bisection. */
function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
