import { mkdir, mkdtemp, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { draftLinkIn, finishMove, linkIn } from '../../../src/database/embedded/cluster';
import { installedPathOf, newDraftName } from '../../../src/database/embedded/restored-names';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'commonplace-moved-')));
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The process ends after it has moved or restored a cluster, before its link is replaced. */
async function interrupt(link: string, announced: string): Promise<void> {
  await symlink(link, linkIn(dataDir));
  await mkdir(announced);
  await symlink(announced, draftLinkIn(dataDir));
}

it('a cluster that was reached by a link is found after it was moved', async () => {
  const moved = join(folder, 'moved');
  await interrupt(join(folder, 'former'), moved);
  await finishMove(dataDir);
  expect(await realpath(linkIn(dataDir))).toBe(moved);
  await expect(readlink(draftLinkIn(dataDir))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('a restored cluster does not replace one whose disk is missing', async () => {
  const missing = join(folder, 'not-mounted');
  const draft = join(folder, newDraftName(dataDir));
  await interrupt(missing, installedPathOf(draft, dataDir));
  await finishMove(dataDir);
  expect(await readlink(linkIn(dataDir))).toBe(missing);
  // It is a draft again.
  expect(basename(await realpath(draft))).toBe(basename(draft));
});
