import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { minifySync } from '@swc/core';
import { digestOf } from '../../.ci/openapi-digest';

const ROOT = join(__dirname, '../..');
const PACKAGE = join(ROOT, 'clients/typescript');
const read = (path: string): string => readFileSync(path, 'utf8');

/** Kilobytes that a browser loads, with openapi-fetch. */
const MAX_KB = 8;

let folder: string;
beforeAll(() => {
  // Below node_modules, so that the unpacked package finds its dependency.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/client-'));
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
    { cwd: PACKAGE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
  execFileSync('tar', ['xzf', join(folder, filename), '-C', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the types of the client', () => {
  it('are those of docs/openapi.json; else run .ci/generate-client', () => {
    const [first] = read(join(PACKAGE, 'src/schema.ts')).split('\n');
    expect(first).toContain(digestOf(read(join(ROOT, 'docs/openapi.json'))));
  });
});

describe('the published package', () => {
  it('has modules, types, examples and a README, and depends on openapi-fetch alone', () => {
    const names = readdirSync(join(folder, 'package'));
    expect(names.sort()).toEqual(['README.md', 'dist', 'examples', 'package.json']);
    const dist = readdirSync(join(folder, 'package/dist'));
    expect(dist).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'schema.d.ts']));
    const { dependencies, version } = JSON.parse(read(join(folder, 'package/package.json'))) as {
      dependencies: Record<string, string>;
      version: string;
    };
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
    expect(version).toBe(
      (JSON.parse(read(join(ROOT, 'package.json'))) as { version: string }).version,
    );
  });

  it('is a module of Node, without a bundler', () => {
    const program = `
      import { Commonplace, NetworkError } from '${join(folder, 'package/dist/index.js')}';
      const api = new Commonplace({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
      console.log(await api.get('/healthz').catch((error) => error instanceof NetworkError));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(output.toString()).toBe('true\n');
  });

  it(`has at most ${MAX_KB} KB, minified and compressed, with its dependency`, () => {
    const dist = join(folder, 'package/dist');
    const modules = readdirSync(dist).filter((name) => name.endsWith('.js'));
    const sources = modules.map((name) => read(join(dist, name)));
    sources.push(read(join(ROOT, 'node_modules/openapi-fetch/dist/index.mjs')));
    const minified = sources.map((source) => {
      const { code } = minifySync(source, { module: true, compress: true, mangle: true });
      return code;
    });
    expect(gzipSync(minified.join('\n')).length).toBeLessThanOrEqual(MAX_KB * 1024);
  });
});
