import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { arch, platform } = process;
/** Packages with a binary for this machine. All are optional dependencies of sharp. */
const PACKAGES = [`sharp-${platform}-${arch}`, `sharp-${platform}musl-${arch}`, 'sharp-wasm32'];

/** Log message at the start without a binary. */
export const NO_SHARP_BINARY =
  'sharp has no binary for this machine, so uploads of pictures fail with 503: install the ' +
  'optional dependencies (npm ci without --omit=optional)';

/**
 * Whether a binary of sharp is installed. Loading it would tell more, but needs memory.
 *
 * @param entry the main file of the package `sharp`
 */
export function hasSharpBinary(entry = createRequire(__filename).resolve('sharp')): boolean {
  const fromSharp = createRequire(entry);
  const isInstalled = (name: string): boolean => {
    try {
      return Boolean(fromSharp.resolve(`@img/${name}/sharp.node`));
    } catch {
      return false;
    }
  };
  // The last package is a binary that was compiled on this machine.
  return PACKAGES.some(isInstalled) || existsSync(join(dirname(entry), '../src/build/Release'));
}
