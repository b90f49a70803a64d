import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { reportSuite } from '../seen-errors';

const ROOT = join(__dirname, '../..');

interface Part {
  /** Folder of the project; its subfolders belong to it. */
  readonly folder: string;
  /** Which of its files, by name; all when absent. */
  readonly files?: RegExp;
}

/**
 * The specs of each suite of `npm test`, longest suite first. A suite is one test file
 * (`NN-name.suite.ts`) to Jest, so that the modules of the service are loaded once for all specs of
 * it. On Node 24 the 475 tests of movies take 17.8 seconds of CPU time as a suite, and 26.3 as nine
 * spec files: about one second for each further file.
 */
export const SUITES: Readonly<Record<string, Part>> = {
  commands: { folder: 'test/e2e/process', files: /^cli-/ },
  servers: { folder: 'test/e2e/process', files: /^(?!cli-)/ },
  books: { folder: 'test/e2e/books' },
  'transfer-and-storage': { folder: 'test/db' },
  notes: { folder: 'test/e2e/notes' },
  events: { folder: 'test/e2e/events' },
  oauth: { folder: 'test/e2e/oauth' },
  api: { folder: 'test/e2e/api' },
  limits: { folder: 'test/e2e/limits' },
  service: { folder: 'test/service' },
  browser: { folder: 'test/browser' },
  redis: { folder: 'test/redis' },
  units: { folder: 'src' },
  contract: { folder: 'test/contract' },
  client: { folder: 'test/client' },
  movies: { folder: 'test/e2e/movies' },
  admin: { folder: 'test/e2e/admin' },
  console: { folder: 'test/e2e/console' },
  site: { folder: 'test/e2e/site' },
  pictures: { folder: 'test/e2e/pictures' },
  moderation: { folder: 'test/e2e/moderation' },
  // Those that need a program of the machine's own (in subfolders) run in `.ci/run` alone.
  faults: { folder: 'test/faults' },
  attacks: { folder: 'test/attacks' },
  cache: { folder: 'test/e2e/cache' },
  docs: { folder: 'test/e2e/docs' },
};

/** Specs in a folder of the project, as paths from its top. */
export const specsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();

/** Specs that need a program which a machine may lack: `npm run test:faults` runs them. */
const needsProgram = (path: string): boolean => /^test\/(faults|attacks)\/.+\//.test(path);

/** Specs of a suite. */
export function specsOf(suite: string): string[] {
  const part = SUITES[suite];
  if (!part) throw new Error(`no suite: ${suite}`);
  return specsIn(part.folder).filter(
    (path) => !needsProgram(path) && (part.files?.test(path.split('/').pop() ?? '') ?? true),
  );
}

/** Declares the tests of a suite, those of each spec within a group of its name. */
export function defineSuite(suite: string): void {
  afterAll(() => reportSuite(suite));
  for (const path of specsOf(suite)) {
    describe(path, () => {
      // Its hooks belong to this group, as it is loaded here.
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      require(join(ROOT, path));
    });
  }
}
