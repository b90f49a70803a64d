import { join } from 'node:path';
import { FullTransfer } from '../../db/import-export/full';
import { Shell } from './shell';

const DUMPS = join(__dirname, '../../open-library');

let full: FullTransfer;
let shell: Shell;
beforeAll(async () => {
  full = await FullTransfer.open();
  shell = new Shell({ DATABASE_URL: full.opened.url });
});
afterAll(async () => {
  await full.close();
});

const objects = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('job list, show and cancel list jobs, show progress, and cancel a waiting job', async () => {
  await full.transfer.take('user', [{ id: '3', uid: 'ann', name: 'Ann' }]);
  const path = full.place('whole');
  await full.jobs.runHere({ type: 'export', kind: 'all', path }, { by: 'ann' });
  await full.jobs.start({ type: 'import', kind: 'book', path: 'books.json' }, 'mo');
  expect(await shell.lines(['job', 'list'])).toMatchObject([
    {
      id: '2',
      type: 'import',
      kind: 'book',
      path: 'books.json',
      state: 'waiting',
      created_by: 'mo',
    },
    { id: '1', type: 'export', kind: 'all', path: 'whole', state: 'done', created_by: 'ann' },
  ]);
  const show = await shell.result('job', 'show', '1');
  expect(show).toMatchObject({ id: '1', state: 'done', error_count: 0, error: '' });
  expect(show.progress).toContainEqual(expect.objectContaining({ kind: 'user', records: 1 }));
  const { code, stdout, stderr } = await shell.run(['job', 'show', '4711']);
  expect([code, stdout, stderr]).toEqual([1, '', 'commonplace: job not found: 4711\n']);

  expect(await shell.result('job', 'cancel', '2')).toMatchObject({
    ...{ id: '2', state: 'cancelled', cancel_requested: true },
  });
  expect(await full.jobs.get(2)).toMatchObject({ state: 'cancelled' });
});

it('import reads Open Library dumps, reports invalid records, and exits with 1', async () => {
  const files = ['editions', 'works', 'authors'].flatMap((name) => [
    `--${name}`,
    join(DUMPS, `${name}.txt`),
  ]);
  const taken = await shell.run(['import', 'open-library', ...files]);
  expect(taken.code).toBe(1);
  expect(JSON.parse(taken.stdout)).toEqual({ imported: 24, updated: 0, skipped: 1, failed: 6 });
  expect(objects(taken.stderr).filter(({ reason }) => reason !== undefined)).toHaveLength(6);
  const [row] = await full.query<{ n: number }>('SELECT count(*)::int AS n FROM books');
  expect(row).toEqual({ n: 24 });
  const works = ['--works', join(DUMPS, 'works.txt')];
  const { code, stdout, stderr } = await shell.run(['import', 'open-library', ...works]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe('commonplace: import open-library: --editions is required\n');
});
