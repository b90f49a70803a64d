// Deletes builds of packages that Node does not load: those for browsers and other module systems.
// They are 40 of 330 MB. npm runs it after each installation; without it (`--ignore-scripts`) they
// stay. Every path has a twin that Node loads instead.
const { rmSync } = require('node:fs');
const { join } = require('node:path');

const UNUSED = {
  'class-transformer': ['bundles', 'esm2015', 'esm5'],
  'class-validator': ['bundles', 'esm2015', 'esm5'],
  'libphonenumber-js': ['bundle', 'es6', 'es6-modern', 'source'],
  'opencc-js': ['dist/esm', 'dist/esm-lib'],
  rxjs: ['dist/bundles', 'dist/esm', 'dist/esm5', 'src'],
  typeorm: ['browser'],
};

for (const [name, paths] of Object.entries(UNUSED)) {
  for (const path of paths) {
    rmSync(join(__dirname, '../node_modules', name, path), { recursive: true, force: true });
  }
}
