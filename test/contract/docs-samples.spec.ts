import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import { Commonplace } from '../../clients/typescript/src';
import { readReference, type Operation } from '../../src/docs/reference/api-reference';
import { sampleRequest, targetOf } from '../../src/docs/reference/sample-request';
import { sampleOf, type SampleLanguage } from '../../src/docs/reference/samples';

/** The examples of the reference send the same request in each language. */
const BASE = 'https://api.test';
const ENVIRONMENT = { TOKEN: 'user-token', KEY: 'app-key', SECRET: 'app-secret', ISSUED: 'issued' };

const { operations } = readReference(
  JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as object,
);

/** A request as a program sends it. */
interface Sent {
  readonly method: string;
  /** Path and query, not encoded. */
  readonly target: string;
  readonly access: Operation['access'];
  readonly body: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const decoded = (url: string): string =>
  decodeURIComponent(url.replace(BASE, '').replaceAll('+', ' '));

/** The request that all examples of an operation send. */
function expected(operation: Operation): Sent {
  const request = sampleRequest(operation);
  const { method, access, body, pictures } = request;
  const text = body.map(([name, value]) => [
    name,
    String(value).replace('ACCESS_TOKEN', ENVIRONMENT.ISSUED),
  ]);
  return {
    method,
    target: decoded(targetOf(request)),
    access,
    body: Object.fromEntries(text) as Sent['body'],
    files: pictures,
  };
}

const samples = (language: SampleLanguage): string[] =>
  operations.map((operation) => sampleOf(operation, language, BASE));

function run(program: string, args: readonly string[], input: string): string {
  const { stdout, stderr } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8', ...ENVIRONMENT },
  });
  expect(stderr).toBe('');
  return stdout;
}

/** Reads the arguments of curl. */
function readCurl(args: readonly string[]): Sent {
  const [url = '', ...options] = args;
  const body: Record<string, string> = {};
  const files: string[] = [];
  let method: string | undefined;
  let access: Sent['access'] = 'none';
  for (let at = 0; at < options.length; at += 2) {
    const [option, value = ''] = options.slice(at, at + 2);
    const [, name = '', text = ''] = /^([^=]*)=([^]*)$/.exec(value) ?? [];
    if (option === '-X') method = value;
    else if (value === `Authorization: Bearer ${ENVIRONMENT.TOKEN}`) access = 'token';
    else if (value === `${ENVIRONMENT.KEY}:${ENVIRONMENT.SECRET}`) access = 'client';
    else if (text === '@photo.jpg') files.push(name);
    else if (option !== '-o') body[name] = text;
  }
  const isPost = Object.keys(body).length > 0;
  return { method: method ?? (isPost ? 'POST' : 'GET'), target: decoded(url), access, body, files };
}

async function readFetch(request: Request): Promise<Sent> {
  const form = request.body === null ? new Map<string, string>() : await membersOf(request);
  const files: string[] = [];
  const body: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') body[name] = value;
    else files.push(name);
  }
  const { client_id, client_secret, ...others } = body;
  const isClient = client_id === ENVIRONMENT.KEY && client_secret === ENVIRONMENT.SECRET;
  const token = request.headers.get('authorization') === `Bearer ${ENVIRONMENT.TOKEN}`;
  const access = isClient ? 'client' : token ? 'token' : 'none';
  return { method: request.method, target: decoded(request.url), access, body: others, files };
}

async function membersOf(request: Request): Promise<Iterable<readonly [string, unknown]>> {
  if (!request.headers.get('content-type')?.includes('json')) return request.formData();
  const json = (await request.json()) as Record<string, unknown>;
  return Object.entries(json).map(([name, value]) => [name, String(value)] as const);
}

it('curl', () => {
  const script = samples('curl').map((sample) => `${sample}\nprintf '\\f'`);
  const curl = `curl() { printf '%s\\0' "$@"; }\n`;
  const calls = run('sh', [], curl + script.join('\n')).split('\f');
  const sent = calls.slice(0, -1).map((call) => readCurl(call.split('\0').slice(0, -1)));
  expect(sent).toEqual(operations.map(expected));
});

it('Python, with requests', () => {
  const program = `
import io, json, sys, types
from urllib.parse import urlencode
calls = []
class Response:
    text = ''
    def raise_for_status(self): pass
    def json(self): return {}
def sender(method):
    def send(url, params=None, data=None, files=None, headers={}, auth=None):
        token = headers.get('Authorization') == 'Bearer user-token'
        access = 'client' if auth == ('app-key', 'app-secret') else 'token' if token else 'none'
        body = {name: str(value) for name, value in (data or {}).items()}
        target = url + ('?' + urlencode(params) if params else '')
        calls.append(dict(method=method, target=target, access=access, body=body, files=list(files or {})))
        return Response()
    return send
stub = types.ModuleType('requests')
for method in ('get', 'post', 'put', 'delete'): setattr(stub, method, sender(method.upper()))
sys.modules['requests'] = stub
for sample in json.load(sys.stdin):
    exec(sample, {'print': lambda *texts: None, 'open': lambda *args: io.BytesIO()})
print(json.dumps(calls))`;
  const sent = JSON.parse(
    run('python3', ['-c', program], JSON.stringify(samples('python'))),
  ) as Sent[];
  expect(sent.map((one) => ({ ...one, target: decoded(one.target) }))).toEqual(
    operations.map(expected),
  );
});

it('TypeScript, with the client', async () => {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(await readFetch(request));
    return Response.json({ access_token: 'new', expires_in: 1 });
  };
  class Recorded extends Commonplace {
    constructor(options: ConstructorParameters<typeof Commonplace>[0]) {
      super({ ...options, fetch });
    }
  }
  const scope = {
    Commonplace: Recorded,
    readFile: () => Promise.resolve(new Uint8Array()),
    process: { env: ENVIRONMENT },
    console: { log: () => undefined },
  };
  for (const sample of samples('typescript')) {
    const body = sample.replace(/^import .*$/gm, '');
    const { code } = transformSync(`async function run() {${body}}`, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    });
    const compiled = compileFunction(`${code}; return run();`, Object.keys(scope)) as (
      ...values: readonly unknown[]
    ) => Promise<void>;
    await compiled(...Object.values(scope));
  }
  expect(sent).toEqual(operations.map(expected));
});
