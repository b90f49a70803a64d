import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool, Spooled } from './spool';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('returns the content of files that arrive at the same time, and leaves nothing in the folder', async () => {
  const spool = new Spool(folder);
  const [one, other] = [new Spooled(spool), new Spooled(spool)];
  const pieces = Array.from({ length: 6 }, () => randomBytes(70_000));
  for (const [at, piece] of pieces.entries()) await (at % 2 ? other : one).append(piece);
  expect(await one.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 0)));
  expect(await other.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 1)));
  await spool.close();
  expect(readdirSync(folder)).toEqual([]);
});
