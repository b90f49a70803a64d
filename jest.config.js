const { CHROMIUM } = require('./test/browser/chromium');
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** A package of ES modules alone, which Jest would not load as it is. */
const MODULES = '/node_modules/oauth4webapi/';

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch: testMatch.map((glob) => `<rootDir>/${glob}`),
  transform: { '^.+\\.ts$': swc, [`${MODULES}.+\\.js$`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!oauth4webapi/)`],
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/run-typescript.js'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  ...more,
});

// Projects that talk to PostgreSQL share one embedded server (or DATABASE_URL) and get a
// database of their own per file, copied from a migrated template.
const withDatabase = {
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};

const withService = { ...withDatabase, globalSetup: '<rootDir>/test/service/global-setup.ts' };

// Redis and the programs of some fault tests are optional; `.ci/run` installs them.
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const env = { ...process.env, PATH: folders.join(delimiter) };
const hasProgram = (name) => folders.some((folder) => existsSync(join(folder, name)));
const hasRedis = hasProgram('redis-server');
// Workers read this file too, in processes of their own.
if (!hasRedis && !process.env.JEST_WORKER_ID) {
  console.warn('No redis-server on the PATH: the tests in test/redis are not part of this run.');
}

/** Subfolders of test/faults and test/attacks that need a program, by the program's name. */
const PROGRAMS = {
  redis: 'redis-server',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  nginx: 'nginx',
  mount: 'mount',
};
/** What the tests of a folder need besides the program. */
const NEEDS = {
  // deploy/nginx.conf uses the module `stream`, which Debian has in a package of its own.
  nginx: () =>
    existsSync('/etc/nginx/modules-enabled/50-mod-stream.conf') ||
    /--with-stream(\s|$)/.test(spawnSync('nginx', ['-V'], { env, encoding: 'utf8' }).stderr),
  // Only root may mount.
  mount: () => process.getuid?.() === 0,
};
const mayRun = (folder) => hasProgram(PROGRAMS[folder]) && (NEEDS[folder]?.() ?? true);
const withoutProgram = Object.keys(PROGRAMS)
  .filter((folder) => !mayRun(folder))
  .map((folder) => `/test/(faults|attacks)/${folder}/`);

/** What runs single specs: `npx jest --selectProjects e2e --testPathPatterns books/search`. */
/** @type {import('jest').Config} */
module.exports = {
  // For two cores: the others compute while the tests of some wait for processes.
  maxWorkers: 4,
  testTimeout: 180_000,
  // Random data derives from the seed (test/random.ts).
  showSeed: true,
  projects: [
    project('unit', ['src/**/*.spec.ts']),
    project('contract', ['test/contract/**/*.spec.ts']),
    project('client', ['test/client/**/*.spec.ts']),
    project('db', ['test/db/**/*.spec.ts'], withDatabase),
    project('e2e', ['test/e2e/**/*.spec.ts'], withDatabase),
    // One file a fault or an attack; `FULL_SCALE=1` runs them at the sizes of docs/guarantees.md.
    project('faults', ['test/faults/**/*.spec.ts'], {
      ...withDatabase,
      testPathIgnorePatterns: withoutProgram,
    }),
    project('attacks', ['test/attacks/**/*.spec.ts'], {
      ...withDatabase,
      testPathIgnorePatterns: withoutProgram,
    }),
    // HTTP alone, against the server that SERVICE_URL names, or against one that is started for it.
    project('service', ['test/service/**/*.spec.ts'], process.env.SERVICE_URL ? {} : withService),
    // Where there is no browser, what it does is tested over HTTP alone.
    ...(CHROMIUM ? [project('browser', ['test/browser/**/*.spec.ts'], withDatabase)] : []),
    ...(hasRedis ? [project('redis', ['test/redis/**/*.spec.ts'], withDatabase)] : []),
  ],
};
