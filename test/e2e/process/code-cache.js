// Stores the code that V8 compiled of the modules of a program for the next process that runs it,
// which halves the CPU time of its start. Node 22.8 and newer have `enableCompileCache` for that.
const { Buffer } = require('node:buffer');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const nodeModule = require('node:module');
const { tmpdir, userInfo } = require('node:os');
const { dirname, join } = require('node:path');
const { constants, Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const { Module } = nodeModule;
const folder = join(tmpdir(), `commonplace-code-${userInfo().uid}`);
/** Bytes of a file of stored code above which it loses what the last process did not load. */
const MAX_PACK = 32 * 1024 * 1024;
const hash = (...parts) => createHash('sha1').update(parts.join('\n')).digest('hex');

/** What is stored: the length of an index, the index as JSON, then the code of all modules. */
function readPack(file) {
  const stored = new Map();
  try {
    const pack = readFileSync(file);
    const start = 4 + pack.readUInt32LE(0);
    const index = JSON.parse(pack.toString('utf8', 4, start));
    for (const [key, from, to] of index) stored.set(key, pack.subarray(start + from, start + to));
  } catch {
    // There is none, or not a whole one: everything is compiled.
  }
  return stored;
}

function writePack(file, codes) {
  let end = 0;
  const index = codes.map(([key, code]) => [key, end, (end += code.length)]);
  const header = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  // Other processes read the old file or the new one, never half of one.
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([length, header, ...codes.map(([, code]) => code)]));
    renameSync(draft, file);
  } catch (error) {
    // The tests have ended and have deleted their folder.
    if (error.code !== 'ENOENT') throw error;
  }
}

function requireFor(module) {
  const require = (id) => module.require(id);
  require.resolve = (id, options) => Module._resolveFilename(id, module, false, options);
  require.resolve.paths = (id) => Module._resolveLookupPaths(id, module);
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

function storeCode(program) {
  const options = [process.version, process.arch, ...process.execArgv, process.env.NODE_OPTIONS];
  const file = join(folder, hash(program, ...options));
  const stored = readPack(file);
  const used = new Map();
  let isComplete = true;

  const compile = Module.prototype._compile;
  Module.prototype._compile = function compileOnce(content, filename, format) {
    // ES modules, which Node loads with `require` as well.
    const isModule = format === 'module' || filename.endsWith('.mjs');
    if (isModule) return compile.call(this, content, filename, format);
    const source = Module.wrap(content.replace(/^#!/, '//'));
    const key = hash(filename, source);
    const cachedData = stored.get(key);
    const script = new Script(source, {
      filename,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    const isStored = cachedData !== undefined && script.cachedDataRejected !== true;
    isComplete &&= isStored;
    used.set(key, isStored ? () => cachedData : () => script.createCachedData());
    const { exports } = this;
    const values = [exports, requireFor(this), this, filename, dirname(filename)];
    return script.runInThisContext().apply(exports, values);
  };

  // By then functions are compiled that the program called. Threads load a part of its modules.
  if (!isMainThread) return;
  process.on('exit', () => {
    if (isComplete) return;
    const codes = new Map([...used].map(([key, code]) => [key, code()]));
    // Another command of the same program loads other modules.
    const isSmall = [...stored.values()].reduce((sum, { length }) => sum + length, 0) < MAX_PACK;
    writePack(file, [...(isSmall ? new Map([...stored, ...codes]) : codes)]);
  });
}

/** @param program path of the program that this process runs */
module.exports = (program) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache(folder);
  else storeCode(program);
};
