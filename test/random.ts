import { createHash } from 'node:crypto';

let draws = 0;

/**
 * Random hexadecimal digits, at most 128. They derive from the seed of the run, which Jest prints:
 * `npx jest FILE --seed=N` draws the same ones.
 */
export function randomHex(digits: number): string {
  draws += 1;
  const source = [jest.getSeed(), expect.getState().testPath, draws].join('\n');
  return createHash('sha512').update(source).digest('hex').slice(0, digits);
}

/** A random integer from 0 to 2^32 - 1. */
export const randomInteger = (): number => parseInt(randomHex(8), 16);
