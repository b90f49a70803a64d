// Lets the processes that the service starts within a test run TypeScript: they inherit these flags of
// Node, as they do from a server. Jest gives each test file its own copy of `process`.
const { join } = require('node:path');

process.execArgv.push('--require', join(__dirname, 'e2e/process/typescript.js'));
