// Compiles the client to ES modules and declarations in dist/, or in the folder given as an argument. It does
// not check types; `npm run types` of the service does. Sources have imports without extensions, which
// bundlers and the tests of the service resolve; browsers and Node need them with `.js`.
const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const ts = require('typescript');

const SOURCES = join(__dirname, 'src');
const { config } = ts.readConfigFile(join(__dirname, 'tsconfig.json'), ts.sys.readFile);
// Each file is compiled alone, so that folders do not matter.
const own = { ...config.compilerOptions, rootDir: undefined, outDir: undefined };
const { options } = ts.convertCompilerOptionsFromJson(own, __dirname);

const withExtensions = (text) => text.replace(/(from ["']\.\/[\w-]+)(["'])/g, '$1.js$2');

/** Compiles all sources to a folder, which it empties before. */
function build(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const fileName of readdirSync(SOURCES)) {
    const source = readFileSync(join(SOURCES, fileName), 'utf8');
    const name = basename(fileName, '.ts');
    const compilerOptions = { ...options, isolatedDeclarations: true };
    const code = ts.transpileModule(source, { fileName, compilerOptions: options });
    const types = ts.transpileDeclaration(source, {
      fileName,
      compilerOptions,
      reportDiagnostics: true,
    });
    const [error] = types.diagnostics ?? [];
    if (error)
      throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(error.messageText)}`);
    writeFileSync(join(out, `${name}.js`), withExtensions(code.outputText));
    writeFileSync(join(out, `${name}.d.ts`), withExtensions(types.outputText));
  }
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
}

module.exports = { build };
if (require.main === module) build(process.argv[2] ?? join(__dirname, 'dist'));
