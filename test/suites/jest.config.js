const { join } = require('node:path');
const { projects, ...common } = require('../../jest.config.js');

const rootDir = join(__dirname, '../..');
const known = (name) => projects.find(({ displayName }) => displayName === name);

/** Suites that need no server, and those that need no more than one's address. */
const QUICK = ['units', 'contract', 'client'];
const REMOTE = ['service'];
/** Where there is no browser, what it does is tested over HTTP alone. */
const ABSENT = ['browser', 'redis'].filter((name) => !known(name));

const matching = (suites) => `-(${suites.join('|')})\\.suite\\.ts$`;
const glob = (suites) => `<rootDir>/test/suites/*-@(${suites.join('|')}).suite.ts`;
const project = (displayName, like, more) => ({ ...known(like), rootDir, displayName, ...more });

/** @type {import('jest').Config} */
module.exports = {
  ...common,
  rootDir,
  testSequencer: '<rootDir>/test/suites/longest-first.js',
  projects: [
    project('quick', 'unit', { testMatch: [glob(QUICK)] }),
    project('service', 'service', { testMatch: [glob(REMOTE)] }),
    project('whole', 'e2e', {
      testMatch: ['<rootDir>/test/suites/*.suite.ts'],
      testPathIgnorePatterns: [matching([...QUICK, ...REMOTE, ...ABSENT])],
    }),
  ],
};
