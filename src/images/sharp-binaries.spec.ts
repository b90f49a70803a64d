import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSharpBinary } from './sharp-binaries';

describe('hasSharpBinary', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-sharp-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('returns true when npm installed a binary of sharp', () => {
    expect(hasSharpBinary()).toBe(true);
  });

  it('returns false after an installation without optional dependencies', () => {
    expect(hasSharpBinary(join(folder, 'node_modules/sharp/dist/index.cjs'))).toBe(false);
  });

  it('returns true for a binary that was compiled on this machine', async () => {
    const binary = join(folder, `node_modules/@img/sharp-${process.platform}-${process.arch}`);
    await mkdir(binary, { recursive: true });
    await writeFile(join(binary, 'sharp.node'), '');
    expect(hasSharpBinary(join(folder, 'node_modules/sharp/dist/index.cjs'))).toBe(true);
  });
});
