import { type SqlExecutor } from '../database/database';
import { notMounted, type PictureStorage } from './picture-storage';
import { hasUses } from './pictures.repository';

/**
 * Checks that the storage of pictures is mounted. A later mount would hide what is stored below its
 * mount point.
 *
 * @returns whether there are no pictures yet, so that the folder may be created
 * @throws ApiError 999 with 503 when the folder has no pictures, but the database references some
 */
export async function requireMounted(
  storage: PictureStorage,
  executor: SqlExecutor,
): Promise<boolean> {
  if (!(await storage.mayBeUnmounted())) return false;
  if (!(await hasUses(executor))) return true;
  // Another request may have stored the first picture meanwhile.
  if (await storage.mayBeUnmounted()) throw notMounted();
  return false;
}
