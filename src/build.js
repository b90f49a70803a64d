// Compiles the program to `dist` with SWC, and copies the files of the sample. It does not check
// types; `npm run types` does.
const { cpSync, mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { transformFile } = require('@swc/core');

const root = join(__dirname, '..');
const SOURCES = ['src', 'migrations', 'test/bench'];
// Programs for developers, which run without a build.
const LEFT_OUT = join(root, 'src/sample/drawing/');
const ASSETS = ['src/sample/data', 'src/sample/pictures'];

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.spec|\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.startsWith(LEFT_OUT));
}

async function compile(file) {
  const output = join(root, 'dist', relative(root, file)).replace(/\.ts$/, '.js');
  const sourceFileName = relative(dirname(output), file);
  const { code, map } = await transformFile(file, { cwd: root, sourceFileName });
  return { output, code, map };
}

async function build() {
  // Nothing is written if a file has errors.
  const compiled = await Promise.all(SOURCES.flatMap(sourcesIn).map(compile));
  for (const folder of ASSETS) {
    cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true });
  }
  for (const { output, code, map } of compiled) {
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(`${output}.map`, map);
    writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  }
}

build().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
