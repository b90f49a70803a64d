// Runs a TypeScript program: `node typescript.js program.ts arguments`. Processes that it starts in
// turn are preloaded with this file, and run TypeScript, too. What was compiled is compileCacheDir for the next
// process, by the path and time of its source.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { tmpdir, userInfo } = require('node:os');
const { basename, join } = require('node:path');
const { version } = require('@swc/core/package.json');
const storeCode = require('./code-cache');

const compileCacheDir = join(tmpdir(), `commonplace-compiled-${userInfo().uid}`);
mkdirSync(compileCacheDir, { recursive: true, mode: 0o700 });

/** Modules that load the server and the command line. */
const BUNDLED = ['server/start.ts', 'cli/support/run.ts'].map((path) =>
  join(__dirname, '../../../src', path),
);

const options = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

function compiled(file) {
  const { mtimeMs, size } = statSync(file);
  const about = JSON.stringify([file, mtimeMs, size, version, options]);
  const path = join(compileCacheDir, `${createHash('sha256').update(about).digest('hex')}.js`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Loading the compiler takes as long as loading the program.
    const { code } = require('@swc/core').transformFileSync(file, options);
    // Whole or not at all: another process may be compiling the same.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, code);
    renameSync(draft, path);
    return code;
  }
}

/** The bundle of a module, if this run of the tests has one (make-bundles.js). */
function bundled(file) {
  const folder = process.env.TEST_BUNDLES;
  if (!folder || !BUNDLED.includes(file)) return undefined;
  return readFileSync(join(folder, basename(file)), 'utf8');
}

const [, first, second] = process.argv;
storeCode(first === __filename ? second : first);
require.extensions['.ts'] = (module, file) =>
  module._compile(bundled(file) ?? compiled(file), file);
module.exports = { BUNDLED, compiled };

const preload = `--require ${__filename}`;
const { NODE_OPTIONS = '' } = process.env;
if (!NODE_OPTIONS.includes(preload)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${preload}`;

if (require.main === module) {
  const [program] = process.argv.splice(1, 2).slice(1);
  process.argv.splice(1, 0, program);
  require(program);
}
