import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop } from './programs';
import { Shell } from './shell';

let workshop: Workshop;
let opened: TestDatabase;
let shell: Shell;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  shell = new Shell({ DATABASE_URL: opened.url });
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

/** The address of no database: commands that need none do not connect. */
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };

it('--help needs no database', async () => {
  const [all, one] = await Promise.all([
    workshop.cli(NOWHERE, ['--help']),
    workshop.cli(NOWHERE, ['token', 'issue', '--help']),
  ]);
  for (const { code, stderr } of [all, one]) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  const commands =
    /^ {2}(?:serve|migrate|import|export|synthetic|sample|user|app|token|picture|openapi) /gm;
  expect(all.stdout.match(commands)).toHaveLength(11);
  expect(one.stdout).toMatch(/--app[^]*--user[^]*--scopes[^]*--ttl/);
});

it('the help and the version load no command', async () => {
  const started = await workshop.cli(NOWHERE, ['chart', 'compute', '--help']);
  expect(started.stdout).toMatch(/Example:|Usage: commonplace chart compute/);
  const { stdout } = await shell.run(['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

it('doctor reports each problem and how to fix it', async () => {
  const findings = await shell.lines(['doctor']);
  const failures = findings.filter(({ status }) => status === 'failed');
  expect(failures).toEqual([]);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'PostgreSQL', status: 'ok' }));
  const broken = await shell.with(NOWHERE).run(['doctor']);
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/"check":"PostgreSQL","status":"failed".*"fix":"[^"]*DATABASE_URL/);
});

it('doctor reports a later schema, and a database that accepts no writes', async () => {
  const own = await openTestDatabase();
  try {
    const doctor = new Shell({ DATABASE_URL: own.url });
    await own.source.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'FromTheFuture')`);
    expect(await doctor.lines(['doctor'])).toContainEqual({
      ...{ check: 'migrations', status: 'warning' },
      detail: '1 of a later version are applied: FromTheFuture',
      fix: expect.stringContaining('Install the version') as string,
    });
    await own.source.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
    END $$`);
    const { code, stdout } = await doctor.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/"check":"PostgreSQL","status":"failed","detail":".* no writes"/);
  } finally {
    await own.close();
  }
});

it('exits with 141 and no message when standard output is closed', async () => {
  const program = workshop.command(NOWHERE, ['completion', 'bash']);
  program.child.stdout?.destroy();
  expect(await program.ended).toMatchObject({ code: 141, stderr: '' });
});

it('completion scripts contain commands and options', async () => {
  for (const name of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await shell.run(['completion', name]);
    expect({ name, code }).toEqual({ name, code: 0 });
    expect(stdout).toMatch(/compute/);
    expect(stdout).toMatch(/dry-run/);
  }
});

it.each([
  ['user role ann', 'm', 'member'],
  ['import', 'note-', 'note-reply note-like'],
  ['import --of 7 chart --name', 't', 'top250'],
  ['record merge', '', 'books subjects'],
  ['report list --state', '', 'open dismissed hidden'],
  ['app list', '--o', '--owner'],
  ['', '--v', '--version'],
  ['export book --out', join(__dirname, 'cli-us'), join(__dirname, 'cli-usage.spec.ts')],
])('completes "%s %s" in bash', async (before, current, expected) => {
  const script = (await shell.run(['completion', 'bash'])).stdout;
  const words = ['commonplace', ...before.split(' ').filter(Boolean), current];
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _commonplace; echo "\${COMPREPLY[*]}"`,
    'bash',
    ...words,
  ]);
  expect(stdout.trim()).toBe(expected);
});

it('openapi writes the document without a database', async () => {
  expect(await shell.with(NOWHERE).result('openapi')).toMatchObject({
    openapi: expect.stringMatching(/^3\./),
    paths: { '/v2/book/{id}': {} },
  });
});

it.each([
  ['an unknown command', ['nonsense'], /nonsense/],
  ['an unknown subcommand', ['user', 'destroy'], /user: unknown subcommand: destroy; .* create, /],
  ['a missing subcommand', ['audit'], /a subcommand is required; existing subcommands: list/],
  ['no command', [], /Usage/],
  ['a missing argument', ['import', 'book'], /a file is required/],
  ['a missing option', ['user', 'create', '--uid', 'ann'], /--name/],
  ['a number that is none', ['synthetic', '--books', 'many'], /many/],
  ['an argument too many', ['doctor', 'now'], /too many arguments/],
  ['an unknown chart', ['chart', 'list', 'nope'], /unknown chart: nope; allowed values: /],
])('reports %s on standard error', async (_what, args, message) => {
  const { code, stdout, stderr } = await shell.with(NOWHERE).run(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});

it('import and export reject unknown types and missing files', async () => {
  const file = join(__dirname, '../../../src/sample/data/users.ndjson');
  const [imported, exported, missing, folder, nowhere] = await Promise.all([
    shell.run(['import', 'newspaper', file]),
    shell.run(['export', 'newspaper']),
    shell.run(['import', 'user', join(workshop.folder, 'none.json')]),
    shell.run(['import', 'user', workshop.folder]),
    shell.run(['export', 'user', '--out', join(workshop.folder, 'none', 'x.ndjson')]),
  ]);
  const message = [imported, exported, missing, folder, nowhere].map(
    ({ code, stdout, stderr }) => `${code} ${stdout}${stderr}`,
  );
  expect(message).toEqual([
    expect.stringMatching(
      /^1 commonplace: unknown record type: newspaper; existing types: user, .*\n$/,
    ),
    expect.stringMatching(
      /^1 commonplace: unknown record type: newspaper; existing types: user, .*\n$/,
    ),
    expect.stringMatching(/^1 commonplace: \/.*none\.json: no such file or directory\n$/),
    expect.stringMatching(/^1 commonplace: \/.*: is a directory\n$/),
    expect.stringMatching(/^1 commonplace: \/.*x\.ndjson: no such file or directory\n$/),
  ]);
});

it('reports invalid settings or an unavailable database in one line', async () => {
  const [away, wrong] = await Promise.all([
    shell.with(NOWHERE).run(['migrate', 'status']),
    workshop.cli({ DATABASE_URL: 'nonsense' }, ['export', 'book']),
  ]);
  expect(away).toMatchObject({ code: 1, stdout: '' });
  expect(away.stderr).toMatch(/^commonplace: The database cannot be reached: .*ECONNREFUSED.*\n$/);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^commonplace: Invalid settings:\n {2}DATABASE_URL must be .*\n$/);
});
