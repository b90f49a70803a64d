// Compiles the client to ES modules in dist/. Sources have imports without extensions, which bundlers
// and the tests of the service resolve; browsers and Node need them with `.js`.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const out = process.argv[2] ?? join(__dirname, 'dist');
rmSync(out, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [require.resolve('typescript/bin/tsc'), '--project', __dirname, '--outDir', out],
  { stdio: 'inherit' },
);
for (const name of readdirSync(out)) {
  const file = join(out, name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from ["']\.\/[\w-]+)(["'])/g, '$1.js$2'));
}
writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
