const { join } = require('node:path');
const { projects, ...common } = require('../../jest.config.js');

const rootDir = join(__dirname, '../..');
const [of] = projects;
const withDatabase = projects.find(({ globalSetup }) => globalSetup);
const has = (name) => projects.some(({ displayName }) => displayName === name);

/** Suites that need no server. */
const QUICK = '(units|contract)';

/** @type {import('jest').Config} */
module.exports = {
  ...common,
  rootDir,
  testSequencer: '<rootDir>/test/suites/longest-first.js',
  projects: [
    {
      ...of,
      rootDir,
      displayName: 'quick',
      testMatch: [`<rootDir>/test/suites/*-@${QUICK}.suite.ts`],
    },
    {
      ...withDatabase,
      rootDir,
      displayName: 'whole',
      testMatch: ['<rootDir>/test/suites/*.suite.ts'],
      testPathIgnorePatterns: [
        `-${QUICK}.suite`,
        // Where there is no browser, what it does is tested over HTTP alone.
        ...['browser', 'redis'].filter((name) => !has(name)).map((name) => `-${name}.suite`),
      ],
    },
  ],
};
