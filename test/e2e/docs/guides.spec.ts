import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ts from 'typescript';
import { build } from '../../../clients/typescript/build';
import { contentIn, GUIDES } from '../../../src/docs/content';
import { SampleService } from '../../../src/sample/sample.service';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { startHarness, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';
import { codeFor, consent, REDIRECT, tokensFor, VERIFIER } from '../oauth/flows';
import { someJpeg } from '../pictures/pictures';
import { Shell } from '../process/shell';

/** A command or program of a guide. */
interface Block {
  readonly guide: string;
  readonly language: string;
  /** The status that its responses have; any of success if absent. */
  readonly status: string | undefined;
  readonly code: string;
}

const BLOCKS: readonly Block[] = GUIDES.flatMap((guide) =>
  [
    ...(contentIn('en').guides.get(guide)?.text ?? '').matchAll(
      /^( *)```(\w+) ?(\d*)\n([^]*?)```/gm,
    ),
  ].map(([, indent = '', language = '', status = '', code = '']) => ({
    guide,
    language,
    status: status === '' ? undefined : status,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  })),
);

const of = (language: string): Block[] => BLOCKS.filter((block) => block.language === language);

let harness: Harness;
let folder: string;
let environment: Record<string, string>;
let browser: Browser;
/** Port of the program that signs a user in. */
let port: number;
beforeAll(async () => {
  harness = await startHarness({ reachable: true, settings: { LIMIT_ANONYMOUS: '0' } });
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  await harness.app.get(SampleService, { strict: false }).load();
  const { clientId, clientSecret = '' } = await harness.app
    .get(ApplicationsService, { strict: false })
    .create({
      name: 'Guide',
      redirectUris: [REDIRECT, `http://127.0.0.1:${(port = await freePort())}/back`],
    });
  browser = await new Browser(harness).register('guide');
  const client = { clientId, secret: clientSecret };
  const issued = await harness.app
    .get(ApplicationsService, { strict: false })
    .issue({ clientId, scopes: ['book_basic_r'], ttl: 600 });
  const { headers } = await harness.call('/v2/book/1');
  environment = {
    PATH: String(process.env.PATH),
    KEY: clientId,
    SECRET: clientSecret,
    TOKEN: (await tokensFor(harness, browser, client)).access_token,
    ISSUED: issued,
    ETAG: String(headers.get('etag')),
    CODE: await codeFor(browser, client),
    VERIFIER,
    REDIRECT_URI: REDIRECT,
  };
  installClient(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'photo.jpg'), await someJpeg());
  writeFileSync(join(folder, 'books.json'), (await harness.call('/v2/book/1')).text);
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

/** A port that no program listens on. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => {
        resolve(free);
      });
    });
  });
}

/** Puts the client into a folder of packages, as npm does. */
function installClient(packages: string): void {
  const root = join(__dirname, '../../..');
  const client = join(packages, 'commonplace-client');
  mkdirSync(client, { recursive: true });
  cpSync(join(root, 'clients/typescript/package.json'), join(client, 'package.json'));
  build(join(client, 'dist'));
  symlinkSync(join(root, 'node_modules/openapi-fetch'), join(packages, 'openapi-fetch'));
}

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with the environment of the guides, in their folder. */
function run(program: string, args: readonly string[]): Promise<Output> {
  const child = spawn(program, args, { cwd: folder, env: environment });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

/** Runs a module that is the next argument. */
const NODE = ['node', '--input-type=module', '-e'] as const;

/** `curl` that prints the status of its response, and writes the body to a file. */
const CURL = `curl() { command curl -sS -o body -w '%{http_code}\\n' "$@"; }\n`;

/** A program that waits for the browser of a user. */
const isServer = ({ code }: Block): boolean => code.includes('createServer');

/** The errors of the compiler in the programs of the guides. */
function typeErrors(): string[] {
  const files = of('ts').map(({ code }, at) => {
    const file = join(folder, `program-${at}.ts`);
    writeFileSync(file, code);
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(__dirname, '../../../node_modules/@types')],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) =>
      [file?.text ?? '', ts.flattenDiagnosticMessageText(messageText, ' ')].join('\n'),
    );
}

/** A program without its types. */
const withoutTypes = (code: string): string =>
  ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;

const withAddress = (code: string): string => code.replaceAll('{base}', harness.origin);

describe('the examples of the guides', () => {
  it('are found', () => {
    const counts = ['sh', 'ts', 'python', 'cli'].map((language) => of(language).length);
    expect(counts.map((count, at) => count >= [25, 4, 1, 3][at]!)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('in curl succeed, in the order of the guides', async () => {
    for (const { guide, code, status } of of('sh')) {
      if (code.startsWith('export ')) continue;
      const { stdout, stderr } = await run('sh', ['-c', CURL + withAddress(code)]);
      const statuses = stdout.match(/^\d{3}$/gm) ?? [];
      const wrong = statuses.filter((one) => (status ? one !== status : !/^2/.test(one)));
      const body = readFileSync(join(folder, 'body'), 'utf8');
      expect([guide, code, wrong, wrong.length > 0 ? body : '', stderr]).toEqual([
        ...[guide, code, [], ''],
        '',
      ]);
      const tokens = /"refresh_token":"([^"]+)"/.exec(body);
      if (tokens) environment.REFRESH_TOKEN = String(tokens[1]);
    }
  });

  it('in TypeScript have no type errors in strict mode', () => {
    expect(typeErrors()).toEqual([]);
  });

  it('in TypeScript and Python run', async () => {
    const programs = [
      ...of('ts')
        .filter((block) => !isServer(block))
        .map(({ guide, code }) => [guide, ...NODE, withoutTypes(code)] as const),
      ...of('python').map(({ guide, code }) => [guide, 'python3', '-c', code] as const),
    ];
    for (const [guide, program, ...args] of programs) {
      const result = await run(program, args.map(withAddress));
      expect([guide, result.code, result.stderr]).toEqual([guide, 0, '']);
      expect(result.stdout.trim()).not.toBe('');
    }
  });

  it('on a server sign a user in', async () => {
    const [block] = of('ts').filter(isServer);
    const code = withoutTypes(String(block?.code)).replaceAll('8000', String(port));
    const [program, ...args] = NODE;
    const child = spawn(program, [...args, withAddress(code)], { cwd: folder, env: environment });
    const closed = new Promise((resolve) => child.on('close', resolve));
    const line = await new Promise<string>((resolve) => {
      child.stdout.once('data', (data: Buffer) => {
        resolve(data.toString());
      });
      child.stderr.once('data', (data: Buffer) => {
        resolve(data.toString());
      });
    });
    expect(line).toMatch(/^Open http/);
    const { pathname, search } = new URL(line.replace('Open ', '').trim());
    const callback = await consent(browser, pathname + search);
    expect(await (await fetch(callback)).text()).toMatch(/^Signed in: guide/);
    expect(await closed).toBe(0);
  });

  it('on the command line succeed', async () => {
    // The service of the examples has its pictures in memory.
    const pictures = join(folder, 'pictures');
    mkdirSync(join(pictures, '00'), { recursive: true });
    const shell = new Shell({ DATABASE_URL: harness.url, PICTURES_DIR: pictures });
    for (const { code } of of('cli')) {
      for (const line of code.trim().split('\n')) {
        const args = line
          .split(' ')
          .map((word) => (/\.|^full-export$/.test(word) ? join(folder, word) : word));
        const { code: exit, stderr } = await shell.run(args);
        expect([line, exit, exit === 0 ? '' : stderr]).toEqual([line, 0, '']);
      }
    }
  });
});
