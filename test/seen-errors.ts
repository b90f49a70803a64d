import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Errors that operations declare in the OpenAPI documents, as `GET /v2/book/{id} 404 6000`. */
export interface DeclaredErrors {
  readonly all: ReadonlySet<string>;
  /** The operation of a request; undefined for paths and methods without one. */
  operationOf(method: string, path: string): string | undefined;
}

interface Documented {
  readonly paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
  readonly components: { responses: Record<string, { 'x-error-codes'?: readonly number[] }> };
}

const DOCS = join(__dirname, '../docs');

/** Reads the errors of both documents. */
export function readDeclaredErrors(): DeclaredErrors {
  const all = new Set<string>();
  const operations = new Map<string, { key: string; pattern: RegExp }[]>();
  for (const file of ['openapi.json', 'openapi.admin.json']) {
    const { paths, components } = JSON.parse(readFileSync(join(DOCS, file), 'utf8')) as Documented;
    for (const [path, methods] of Object.entries(paths)) {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      for (const [name, { responses }] of Object.entries(methods)) {
        const method = name.toUpperCase();
        const key = `${method} ${path}`;
        operations.set(method, [...(operations.get(method) ?? []), { key, pattern }]);
        for (const [status, { $ref = '' }] of Object.entries(responses)) {
          const codes = components.responses[$ref.split('/').at(-1) ?? '']?.['x-error-codes'] ?? [];
          for (const code of codes) all.add(`${key} ${status} ${code}`);
        }
      }
    }
  }
  // Paths with fewer parameters come first, as in the server.
  const wildcards = (key: string): number => key.split('{').length;
  for (const each of operations.values()) {
    each.sort((a, b) => wildcards(a.key) - wildcards(b.key) || b.key.length - a.key.length);
  }
  const operationOf = (method: string, path: string): string | undefined => {
    const [pathname = ''] = path.split('?');
    return operations.get(method)?.find(({ pattern }) => pattern.test(pathname))?.key;
  };
  return { all, operationOf };
}

/** The path exists with another method, which no operation declares. */
const WRONG_METHOD = '1014';

let declared: DeclaredErrors | undefined;
const seen = new Set<string>();

/**
 * Compares the response of a request with the errors of its operation. A complete run of the tests
 * also collects them in the file `SEEN_ERRORS` (see {@link unseenErrors}).
 *
 * @throws Error for an error that the operation does not declare
 */
export function checkError(method: string, path: string, status: number, text: string): void {
  if (status < 400) return;
  const code = /"code":(\d+)/.exec(text)?.[1];
  if (code === undefined || code === WRONG_METHOD) return;
  declared ??= readDeclaredErrors();
  const key = declared.operationOf(method, path);
  if (key === undefined) return;
  const line = `${key} ${status} ${code}`;
  if (!declared.all.has(line)) {
    throw new Error(`The OpenAPI document does not have this error: ${line}. Add @Errors.`);
  }
  report(line);
}

/** Adds a line to the file of errors that the tests have seen, once. */
function report(line: string): void {
  const { SEEN_ERRORS } = process.env;
  if (SEEN_ERRORS === undefined || seen.has(line)) return;
  seen.add(line);
  appendFileSync(SEEN_ERRORS, `${line}\n`);
}

/** Adds the name of a suite whose tests have ended. */
export const reportSuite = (suite: string): void => report(`suite ${suite}`);

/**
 * Errors of checks that all operations share: HTTPS, tokens, scopes, limits, safe retries,
 * challenges and the form of requests. One operation with such an error is enough.
 */
const SHARED =
  /^(400 100|400 999|401 10[346]|401 12[23]|403 (105|1000|1007)|404 1001|4(09|22) 999|429 11[12])$/;
/** Failures, which tests of faults cause. */
const FAILURES = /^5/;

/**
 * Declared errors that a complete run has not seen; undefined if the run was not complete.
 *
 * @param suites names of the suites of a complete run
 */
export function unseenErrors(file: string, suites: readonly string[]): string[] | undefined {
  const lines = new Set(readFileSync(file, 'utf8').split('\n'));
  if (!suites.every((suite) => lines.has(`suite ${suite}`))) return undefined;
  const errorOf = (line: string): string => line.split(' ').slice(2).join(' ');
  const errors = new Set([...lines].map(errorOf));
  return [...readDeclaredErrors().all].filter((line) => {
    const error = errorOf(line);
    if (FAILURES.test(error)) return false;
    return SHARED.test(error) ? !errors.has(error) : !lines.has(line);
  });
}
