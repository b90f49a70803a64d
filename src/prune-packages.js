// Deletes parts of packages that Node does not load: builds for browsers and other module systems,
// which have a twin that Node loads instead, tests and translations. They are 47 MB of 343 MB. npm
// runs it after each installation; without it (`--ignore-scripts`) they stay.
const { rmSync } = require('node:fs');
const { join } = require('node:path');

const UNUSED = {
  'class-transformer': ['bundles', 'esm2015', 'esm5'],
  'class-validator': ['bundles', 'esm2015', 'esm5'],
  fastify: ['docs', 'examples', 'test'],
  'libphonenumber-js': ['bundle', 'es6', 'es6-modern', 'source'],
  'opencc-js': ['dist/esm', 'dist/esm-lib'],
  rxjs: ['dist/bundles', 'dist/esm', 'dist/esm5', 'src'],
  typeorm: ['browser'],
  // Messages of the compiler in other languages.
  typescript: [
    'cs',
    'de',
    'es',
    'fr',
    'it',
    'ja',
    'ko',
    'pl',
    'pt-br',
    'ru',
    'tr',
    'zh-cn',
    'zh-tw',
  ].map((language) => `lib/${language}`),
};

for (const [name, paths] of Object.entries(UNUSED)) {
  for (const path of paths) {
    rmSync(join(__dirname, '../node_modules', name, path), { recursive: true, force: true });
  }
}
