import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { removeMemoryFolder } from './memory-folder';
import { unseenErrors } from './seen-errors';
import { REQUIRED_SUITES } from './suites/suites';

/**
 * Takes down what the setup put up.
 *
 * @throws Error as {@link reportUnseenErrors} does
 */
export default async function tearDown(): Promise<void> {
  await stopServer();
  await rm(String(process.env.TEST_SCRATCH), { recursive: true, force: true });
  try {
    await reportUnseenErrors();
  } finally {
    await removeMemoryFolder();
  }
}

/** @throws Error after a run of all suites that has not seen an error of the OpenAPI documents */
async function reportUnseenErrors(): Promise<void> {
  const { SEEN_ERRORS: file } = process.env;
  if (file === undefined) return;
  delete process.env.SEEN_ERRORS;
  const unseen = unseenErrors(file, REQUIRED_SUITES) ?? [];
  await rm(dirname(file), { recursive: true, force: true });
  if (unseen.length > 0) {
    const list = unseen.join('\n');
    throw new Error(`No test causes these errors, which the OpenAPI documents list:\n${list}`);
  }
}

async function stopServer(): Promise<void> {
  const server = globalThis.testServer;
  if (!server) return;
  globalThis.testServer = undefined;
  for (const end of server.users) await end();
  if (server.embedded) {
    await server.embedded.release();
    if (server.dataDir) await rm(server.dataDir, { recursive: true, force: true });
    return;
  }
  const client = new Client({ connectionString: process.env.TEST_SERVER_URL });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${server.template}`);
  await client.end();
}
