#!/usr/bin/env node
// The executable of the command line. In a checkout it builds the program when a source is newer.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

if (existsSync(join(__dirname, '../src/cli.ts'))) require('../src/build-when-stale.js');
require('../dist/src/cli.js');
