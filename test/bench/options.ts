import { parseArgs } from 'node:util';

/** What to measure. */
export interface Options {
  /** Parts of the names of cases; all cases when empty. */
  readonly cases: readonly string[];
  readonly rounds: number;
  /** Duration of each round of a server. */
  readonly seconds: number;
  readonly books: number;
  readonly seed: number;
  /** Folder of another checkout, which is built. */
  readonly against?: string;
  /** File for all figures. */
  readonly json?: string;
  readonly fastify: boolean;
}

const USAGE = `Usage: npm run bench -- [options]

  --cases a,b     only cases whose names contain a or b (--list prints them)
  --rounds N      rounds of each case (default 9)
  --seconds S     duration of a round of each server (default 0.4)
  --books N       books in the database (default 30000); other records in proportion, up to a limit
  --seed N        seed of the records and requests (default 1)
  --against DIR   compare with the build in another checkout's dist as well
  --no-fastify    do not compare with Fastify
  --json FILE     write all figures to a file
  --list          print the names of the cases
`;

export type Command = Options | 'list' | 'help';

/** Reads the command line. @throws Error for unknown options and invalid numbers */
export function readOptions(args: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: 'string', default: '' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '0.4' },
      books: { type: 'string', default: '30000' },
      seed: { type: 'string', default: '1' },
      against: { type: 'string' },
      'no-fastify': { type: 'boolean', default: false },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.list) return 'list';
  const number = (name: 'rounds' | 'seconds' | 'books' | 'seed', least: number): number => {
    const value = Number(values[name]);
    if (!(value >= least)) throw new Error(`--${name} must be a number of at least ${least}`);
    return value;
  };
  return {
    cases: values.cases.split(',').filter((part) => part !== ''),
    rounds: number('rounds', 1),
    seconds: number('seconds', 0.05),
    // Fewer make no pages for the lists.
    books: number('books', 2000),
    seed: number('seed', 0),
    fastify: !values['no-fastify'],
    ...(values.against === undefined ? {} : { against: values.against }),
    ...(values.json === undefined ? {} : { json: values.json }),
  };
}

export const printUsage = (): void => void process.stdout.write(USAGE);

/** Whether a case is measured. */
export const isSelected = ({ cases }: Options, name: string): boolean =>
  cases.length === 0 || cases.some((part) => name.includes(part));
