// Packs the TypeScript client as `npm pack` does, so that the server can offer it for installation at
// /docs/commonplace-client.tgz. It compiles only when a source is newer than the package.
const {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { Buffer } = require('node:buffer');
const { tmpdir } = require('node:os');
const { gzipSync } = require('node:zlib');

const SOURCE = join(__dirname, '../clients/typescript');

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const modifiedAt = (file) => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

/** A tar archive of files by their names in it. */
async function tar(files) {
  const pack = require('tar-stream').pack();
  const chunks = [];
  pack.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pack.on('end', resolve).on('error', reject));
  for (const [name, file] of files) {
    pack.entry({ name: `package/${name}`, mtime: new Date(0) }, readFileSync(file));
  }
  pack.finalize();
  await ended;
  return Buffer.concat(chunks);
}

/** Writes the package to a file, unless the file is newer than all sources. */
async function packClient(out) {
  const listed = ['package.json', 'README.md'].map((name) => join(SOURCE, name));
  const examples = filesIn(join(SOURCE, 'examples'));
  const sources = [...listed, ...examples, ...filesIn(join(SOURCE, 'src'))];
  if (sources.every((file) => modifiedAt(file) < modifiedAt(out))) return;
  const built = mkdtempSync(join(tmpdir(), 'commonplace-client-'));
  try {
    require(join(SOURCE, 'build.js')).build(built);
    const files = [
      ...[...listed, ...examples].map((file) => [relative(SOURCE, file), file]),
      ...filesIn(built).map((file) => [`dist/${relative(built, file)}`, file]),
    ];
    const bytes = gzipSync(await tar(files), { level: 9 });
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, bytes);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

module.exports = { packClient };
