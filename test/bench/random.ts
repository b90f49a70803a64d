import { randomNumbers } from '../../src/import-export/synthetic/synthetic';

/** Integers from 0 to below a limit, the same for the same seed. */
export function integers(seed: number): (limit: number) => number {
  const random = randomNumbers(seed);
  return (limit) => Math.floor(random() * limit);
}

/** The integers from 0 to below `count` in random order, the same for the same seed. */
export function permutation(count: number, seed: number): Uint32Array {
  const below = integers(seed);
  const values = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [values[at], values[other]] = [values[other] ?? 0, values[at] ?? 0];
  }
  return values;
}

/**
 * Integers from 0 to below `count` after Zipf's law: the n-th most frequent one has a frequency of
 * 1/n^s. Exponent 0.99 is that of the YCSB benchmark. Which integers are frequent is random.
 */
export function zipf(count: number, seed: number, exponent = 0.99): () => number {
  const random = randomNumbers(seed);
  const ranks = permutation(count, seed + 1);
  const cumulated = new Float64Array(count);
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    total += 1 / (at + 1) ** exponent;
    cumulated[at] = total;
  }
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return ranks[low] ?? 0;
  };
}
