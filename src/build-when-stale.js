// Builds the program when a source is newer than what was built from it: the command line needs no
// build of its own, and a running server does not have its files changed under it for nothing.
const { execFileSync } = require('node:child_process');
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(ts|ndjson|md|txt)$/.test(entry.name)) continue;
    latest = Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);
  }
  return latest;
}

function builtAt() {
  try {
    return statSync(join(root, 'dist/src/cli.js')).mtimeMs;
  } catch {
    return 0;
  }
}

const FOLDERS = ['src', 'migrations', 'clients/typescript/src'];
const sources = Math.max(...FOLDERS.map((folder) => newest(join(root, folder))));
if (builtAt() < sources) {
  // Standard output belongs to the command's result.
  execFileSync(process.execPath, [join(__dirname, 'build.js')], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}
