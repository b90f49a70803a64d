import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { reportSuite } from '../seen-errors';

const ROOT = join(__dirname, '../..');

interface Part {
  /** Folders of the project; their subfolders belong to them. */
  readonly folders: readonly string[];
  /** Whether `npm test` omits the suite on a machine that lacks its program. */
  readonly optional?: true;
}

/**
 * The specs of each suite of `npm test`, longest suite first. A suite is one test file
 * (`NN-name.suite.ts`) to Jest, so that the modules of the service are loaded once for all specs of
 * it. On Node 24 the 475 tests of movies take 17.8 seconds of CPU time as a suite, and 26.3 as nine
 * spec files: about one second for each further file. Loading them for a suite takes four seconds.
 */
export const SUITES: Readonly<Record<string, Part>> = {
  servers: { folders: ['test/e2e/process'] },
  // Those that need a program of the machine's own (in subfolders) run in `.ci/run` alone.
  faults: { folders: ['test/faults'] },
  storage: { folders: ['test/db'] },
  browser: { folders: ['test/browser'], optional: true },
  content: {
    folders: ['books', 'notes', 'events', 'movies', 'pictures', 'moderation', 'oauth'].map(
      (name) => `test/e2e/${name}`,
    ),
  },
  attacks: { folders: ['test/attacks'] },
  requests: { folders: ['test/e2e/api', 'test/e2e/limits', 'test/e2e/cache'] },
  pages: { folders: ['test/e2e/site', 'test/e2e/docs', 'test/e2e/console', 'test/e2e/admin'] },
  units: { folders: ['src'] },
  redis: { folders: ['test/redis'], optional: true },
  service: { folders: ['test/service'] },
  contract: { folders: ['test/contract'] },
  client: { folders: ['test/client'] },
};

/** Suites of every complete run, whose tests together cause all declared errors. */
export const REQUIRED_SUITES: readonly string[] = Object.keys(SUITES).filter(
  (suite) => !SUITES[suite]?.optional,
);

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
  return part.folders.flatMap(specsIn).filter((path) => !needsProgram(path));
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
