import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Transfer } from '../../db/import-export/transfer';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop, type Environment } from './programs';
import { Shell } from './shell';

let workshop: Workshop;
let opened: TestDatabase;
let env: Environment;

beforeAll(async () => {
  workshop = await Workshop.open();
});

afterAll(() => workshop.close());

beforeEach(async () => {
  opened = await openTestDatabase();
  env = { DATABASE_URL: opened.url };
});

afterEach(() => opened.close());

const user = (id: number): string =>
  `${JSON.stringify({ id: String(id), uid: `u${id}`, name: 'n', signature: '', avatar: '' })}\n`;
const users = (...ids: number[]): string => ids.map(user).join('');

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(workshop.folder, name);
  await writeFile(path, content);
  return path;
}

/** The lines of standard error that are about records. */
const faults = (stderr: string): unknown[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.reason !== undefined);

const ids = async (): Promise<number[]> => {
  const rows = await opened.source.query<{ id: string }[]>('SELECT id FROM users ORDER BY id');
  return rows.map(({ id }) => Number(id));
};

it('import reads files, compressed or not, and standard input, and reports totals', async () => {
  const one = await file('one.ndjson', users(1, 2));
  const two = await file('two.json.gz', gzipSync(`[${user(3)},${user(1)}]`));
  const { code, stdout, stderr } = await workshop.cli(
    env,
    ['import', 'user', one, two, '-'],
    users(4),
  );
  expect({ code, faults: faults(stderr) }).toEqual({ code: 0, faults: [] });
  expect(JSON.parse(stdout)).toEqual({ imported: 4, updated: 0, skipped: 1, failed: 0 });
  expect(await ids()).toEqual([1, 2, 3, 4]);

  const packed = await workshop.cli(env, ['import', 'user', '-'], gzipSync(users(4, 5)));
  expect(packed.code).toBe(0);
  expect(JSON.parse(packed.stdout)).toEqual({ imported: 1, updated: 0, skipped: 1, failed: 0 });
});

it('import reports invalid records, imports the others, and exits with 1', async () => {
  const one = await file('bad.ndjson', `${user(1)}{"id":\n${user(2)}`);
  const two = await file('bad.json', '{"users":[\n{"id":"3"},\n{"id":"4","name":"n"}]}');
  const { code, stdout, stderr } = await workshop.cli(
    env,
    ['import', 'user', one, two, '-'],
    user(5).replace('u5', 'u1'),
  );
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ imported: 3, updated: 0, skipped: 0, failed: 3 });
  expect(faults(stderr)).toEqual([
    { file: one, line: 2, reason: 'not valid JSON' },
    { file: two, line: 2, reason: 'name is missing' },
    { file: 'standard input', line: 1, reason: 'Key (uid)=(u1) already exists.' },
  ]);
  expect(await ids()).toEqual([1, 2, 4]);
});

it('import --dry-run checks all records and changes nothing', async () => {
  const { code, stdout, stderr } = await workshop.cli(
    env,
    ['import', 'user', '--dry-run', '-'],
    `${users(1, 2)}{}\n`,
  );
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ imported: 2, updated: 0, skipped: 0, failed: 1 });
  expect(faults(stderr)).toEqual([{ file: 'standard input', line: 3, reason: 'name is missing' }]);
  expect(await ids()).toEqual([]);
});

it('export writes to standard output, a file and a compressed file', async () => {
  const all = users(...Array.from({ length: 1500 }, (_, at) => at + 1));
  const shell = new Shell(env);
  await shell.run(['import', 'user', '-'], all);
  const out = join(workshop.folder, 'users.ndjson');
  const [printed, written, packed, none] = await Promise.all([
    workshop.cli(env, ['export', 'user']),
    shell.result('export', 'user', '--out', out),
    shell.result('export', 'user', '--out', `${out}.gz`),
    workshop.cli(env, ['export', 'book']),
  ]);
  expect(printed).toEqual({ code: 0, signal: null, stdout: all, stderr: '' });
  expect(none).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect([written, packed]).toEqual([{ written: out }, { written: `${out}.gz` }]);
  expect(await readFile(out, 'utf8')).toBe(all);
  expect(gunzipSync(await readFile(`${out}.gz`)).toString()).toBe(all);
});

it('export writes to standard output with --out -', async () => {
  const all = users(1, 2);
  await new Shell(env).run(['import', 'user', '-'], all);
  const printed = await workshop.cli(env, ['export', 'user', '--out', '-']);
  expect(printed).toEqual({ code: 0, signal: null, stdout: all, stderr: '' });
});

it('export of an unknown type leaves the file', async () => {
  const out = await file('earlier.ndjson', users(1));
  const { code, stderr } = await new Shell(env).run(['export', 'nope', '--out', out]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('unknown record type: nope')]);
  expect(await readFile(out, 'utf8')).toBe(users(1));
});

it('synthetic data is the same for the same seed', async () => {
  const other = await openTestDatabase();
  const shell = new Shell(env);
  const elsewhere = shell.with({ DATABASE_URL: other.url });
  try {
    const volume = ['synthetic', '--books', '40', '--users', '6', '--collections', '100'];
    const made = await Promise.all([
      shell.result(...volume, '--seed', '7'),
      elsewhere.result(...volume, '--seed', '7'),
    ]);
    const all = { imported: 146, updated: 0, skipped: 0, failed: 0 };
    expect(made).toEqual([all, all]);
    const [first, second] = [new Transfer(opened.database), new Transfer(other.database)];
    const books = await first.export('book');
    const collections = await first.export('collection');
    expect(books.match(/\n/g)).toHaveLength(40);
    expect(collections.match(/\n/g)).toHaveLength(100);
    expect(await second.export('book')).toBe(books);
    expect(await second.export('collection')).toBe(collections);

    const again = await Promise.all([
      shell.result(...volume, '--seed', '7'),
      elsewhere.result(...volume, '--seed', '8'),
    ]);
    expect(again[0]).toEqual({ ...all, imported: 0, skipped: 146 });
    expect(again[1]).toMatchObject({ imported: 0, failed: 0 });
    expect(await first.export('book')).toBe(books);
    expect(await second.export('book')).not.toBe(books);
    expect(await second.export('collection')).not.toBe(collections);
  } finally {
    await other.close();
  }
});

it('synthetic data has no more collections than pairs of users and books', async () => {
  const volume = ['--books', '2', '--users', '2', '--collections', '5'];
  const { code, stdout, stderr } = await new Shell(env).run(['synthetic', ...volume]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^commonplace: collections cannot exceed users times books\n$/);
  expect(await ids()).toEqual([]);
});

it('synthetic exits with status 1 when a record fails, and prints the totals', async () => {
  const shell = new Shell(env);
  await shell.result('user', 'create', '--uid', 'synthetic1', '--name', 'Ann');
  const { code, stdout, stderr } = await shell.run(['synthetic', '--users', '3']);
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { imported: 2, failed: 1 }]);
  expect(stderr).toContain('synthetic1');
});

it('import reports a file that cannot be read', async () => {
  // A regular file, whose first read fails.
  const { code, stderr } = await workshop.cli(env, ['import', 'user', '/proc/self/mem']);
  expect([code, /EIO/.test(stderr), /Unhandled/.test(stderr)]).toEqual([1, true, false]);
});
