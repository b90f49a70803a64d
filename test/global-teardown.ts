import { rm } from 'node:fs/promises';
import { Client } from 'pg';

/** Takes down what the setup put up. */
export default async function tearDown(): Promise<void> {
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
