import * as nodeModule from 'node:module';
import { join } from 'node:path';

/**
 * Node 22.8 and newer store compiled code, which saves a third of the start. The cache
 * is in `node_modules`, where only those write who may change the code anyway. Without a writable
 * folder there is no cache.
 */
const { enableCompileCache } = nodeModule as {
  readonly enableCompileCache?: (folder: string) => unknown;
};
enableCompileCache?.(join(__dirname, '../../../node_modules/.cache/commonplace'));
