// Compiles the program to `dist` with SWC, and copies the sample and the documentation. It does not check
// types; `npm run types` does. SWC's binary is an optional dependency: without it
// (`npm ci --omit=optional`), TypeScript compiles, which takes longer.
const { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');

const { packClient } = require('./build-client');
const { bundle } = require('./bundle');

const root = join(__dirname, '..');
const SOURCES = ['src', 'migrations', 'test/bench'];
// Programs for developers, which run without a build.
const LEFT_OUT = join(root, 'src/sample/drawing/');
const ASSETS = [
  'src/sample/data',
  'src/sample/pictures',
  'src/cli/command-tree.json',
  'src/docs/content',
  'src/pages/examples.json',
  'CHANGELOG.md',
];

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.spec|\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.startsWith(LEFT_OUT));
}

/** A function that compiles one file to `{ code, map }`. */
function compiler() {
  try {
    const { transformFile } = require('@swc/core');
    return (file, sourceFileName) => transformFile(file, { cwd: root, sourceFileName });
  } catch {
    return typescriptCompiler();
  }
}

function typescriptCompiler() {
  const ts = require('typescript');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { compilerOptions } = config;
  return (file, sourceFileName) => {
    const source = readFileSync(file, 'utf8');
    const result = ts.transpileModule(source, { compilerOptions, fileName: sourceFileName });
    const code = result.outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
    return { code, map: result.sourceMapText };
  };
}

/**
 * Removes the type `Response` of Express from the metadata that decorators store of parameters: Nest
 * does not use it. The expression would read the global variable of this name, for which Node loads
 * its HTTP client, which takes 10 MB of memory and a thirtieth of the start.
 */
const withoutResponses = (code) =>
  code.replaceAll('typeof Response === "undefined" ? Object : Response', 'Object');

async function compileWith(compile, file) {
  const output = join(root, 'dist', relative(root, file)).replace(/\.ts$/, '.js');
  const { code, map } = await compile(file, relative(dirname(output), file));
  return { output, code: withoutResponses(code), map };
}

async function build() {
  // Nothing is written if a file has errors.
  const compile = compiler();
  const files = SOURCES.flatMap(sourcesIn);
  const compiled = await Promise.all(files.map((file) => compileWith(compile, file)));
  for (const folder of ASSETS) {
    cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true });
  }
  for (const { output, code, map } of compiled) {
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(`${output}.map`, map);
    writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  }
  const folder = join(root, 'dist/src');
  for (const program of ['server/start.js', 'import-export/jobs/job-program.js']) {
    await bundle(join(folder, program), folder);
  }
  await packClient(join(root, 'dist/clients/commonplace-client.tgz'));
}

build().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
