import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Shell } from './shell';

/** Hashes of pictures, whose files are in one folder. */
const USED = `aa${'00'.repeat(31)}`;
const UNKNOWN = `aa${'01'.repeat(31)}`;
const NEW = `aa${'02'.repeat(31)}`;

let opened: TestDatabase;
let home: string;
let folder: string;
let shell: Shell;
beforeEach(async () => {
  opened = await openTestDatabase();
  home = await mkdtemp(join(tmpdir(), 'commonplace-sweep-'));
  folder = join(home, 'pictures', 'aa');
  await mkdir(folder, { recursive: true });
  shell = new Shell({ DATABASE_URL: opened.url, DATA_DIR: home });
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await opened.close();
});

/** Stores the files of a picture, which were changed in 1970. */
async function storeFiles(hash: string): Promise<string[]> {
  const names = ['l', 's'].map((variant) => `${hash}-${variant}.png`);
  for (const name of names) {
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), 1, 1);
  }
  return names;
}

/** Lets the database know a picture without recent use. */
const addRow = (hash: string): Promise<unknown> =>
  opened.source.query(
    `INSERT INTO pictures (hash, extension, width, height, bytes, last_referenced_at)
     VALUES (decode($1, 'hex'), 'png', 1, 1, 1, now() - interval '2 hours')`,
    [hash],
  );
/** Uses a picture in a note. */
const use = (hash: string): Promise<unknown> =>
  opened.source.query(
    `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
     VALUES ('note', 1, 1, decode($1, 'hex'), false)`,
    [hash],
  );

describe('picture sweep', () => {
  it('removes unused pictures, and prints their number and that of unknown files', async () => {
    const unused = `aa${'03'.repeat(31)}`;
    await storeFiles(unused);
    await addRow(unused);
    await addRow(USED);
    await use(USED);
    const kept = [...(await storeFiles(USED)), ...(await storeFiles(UNKNOWN))];
    expect(await shell.result('picture', 'sweep')).toEqual({ removed: 2, unknown: 2 });
    expect((await readdir(folder)).sort()).toEqual(kept);
  });

  it('exits with status 1 when a file cannot be deleted, and deletes the others', async () => {
    const [name = '', other = ''] = await storeFiles(USED);
    await addRow(USED);
    // It cannot be deleted as a file.
    await rm(join(folder, name));
    await mkdir(join(folder, name));
    await utimes(join(folder, name), 1, 1);
    const { code, stdout } = await shell.run(['picture', 'sweep']);
    expect([code, JSON.parse(stdout)]).toEqual([1, { removed: 1, unknown: 0, failed: 1 }]);
    expect(await readdir(folder)).not.toContain(other);
  });

  it('--unknown also removes unknown files that are older than an hour', async () => {
    await addRow(USED);
    await use(USED);
    const kept = [...(await storeFiles(USED)), `${NEW}-l.png`];
    await storeFiles(UNKNOWN);
    await writeFile(join(folder, `${NEW}-l.png`), 'x');
    expect(await shell.result('picture', 'sweep', '--unknown')).toEqual({ removed: 2, unknown: 0 });
    expect((await readdir(folder)).sort()).toEqual(kept);
  });

  it('--unknown is rejected while the database has no uses of pictures', async () => {
    const kept = await storeFiles(UNKNOWN);
    await addRow(USED);
    const { code, stdout, stderr } = await shell.run(['picture', 'sweep', '--unknown']);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'commonplace: picture sweep: --unknown is rejected, because the database has no pictures\n',
    ]);
    expect((await readdir(folder)).sort()).toEqual(kept);
    expect(await shell.result('picture', 'sweep')).toEqual({ removed: 0, unknown: 2 });
  });
});

it('a former name of a command still works', async () => {
  const { code, stderr } = await shell.run(['pictures']);
  expect([code, stderr]).toEqual([
    1,
    'commonplace: picture: a subcommand is required; existing subcommands: sweep\n',
  ]);
});
