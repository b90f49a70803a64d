import 'reflect-metadata';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeDataSource } from '../src/database/data-source';
import { openEmbedded, type EmbeddedServer } from '../src/database/embedded/embedded';
import { migrateUp } from '../src/database/migrate';
import { useMemoryFolder } from './memory-folder';
import { databaseAt, testSettings } from './settings';

declare global {
  // Handed to the teardown, which runs in the same process.
  var testServer:
    | {
        embedded?: EmbeddedServer;
        dataDir?: string;
        template: string;
        /** Programs that use the server during the tests, and end before it. */
        users: (() => Promise<void>)[];
      }
    | undefined;
}

/**
 * One PostgreSQL for all tests: `DATABASE_URL` (whose user must be able to create databases), or an
 * embedded one that is thrown away. It gets a migrated template, which every test file copies.
 */
export default async function setUp(config?: { testNamePattern?: string }): Promise<void> {
  // Another project has put it up.
  if (globalThis.testServer) return;
  await useMemoryFolder();
  // Data that tests copy instead of creating it.
  const scratch = await enterableFolder('commonplace-scratch-');
  process.env.TEST_SCRATCH = scratch;
  if (config?.testNamePattern === undefined) await collectErrors();
  const databaseUrl = process.env.DATABASE_URL;
  const dataDir = databaseUrl ? undefined : await enterableFolder('commonplace-test-');
  const embedded = dataDir ? await openEmbedded({ dataDir, disposable: true }) : undefined;
  const url = databaseUrl ?? embedded?.url ?? '';
  try {
    if (embedded) await makeSignInCheap(url);
    const { template, copyFiles } = await makeTemplate(url);
    globalThis.testServer = { embedded, dataDir, template, users: [] };
    process.env.TEST_SERVER_URL = url;
    // The tests copy this template hundreds of times. Copying files is faster than logging blocks.
    process.env.TEST_TEMPLATE = `${template}${copyFiles ? ' STRATEGY file_copy' : ''}`;
  } catch (error) {
    // Jest runs no teardown after a set-up that failed.
    await embedded?.release();
    throw error;
  }
}

/**
 * Stores the password of the server's user with one hash instead of 4,096, which clients repeat for
 * each of thousands of connections.
 */
async function makeSignInCheap(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const password = client.escapeLiteral(String(client.password));
  await client.query(`SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD ${password}`);
  await client.end();
}

/** A new temporary folder that PostgreSQL's own account can enter. */
async function enterableFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}

/** Lets all workers write the errors that they see into one file, which the teardown compares. */
async function collectErrors(): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'commonplace-errors-')), 'seen');
  await writeFile(file, '');
  process.env.SEEN_ERRORS = file;
}

/** Creates a migrated database; `copyFiles` tells whether the server can copy it file by file. */
async function makeTemplate(url: string): Promise<{ template: string; copyFiles: boolean }> {
  const template = `commonplace_template_${process.pid}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${template}`);
  await client.query(`CREATE DATABASE ${template}`);
  const { rows } = await client.query<{ v: number }>(
    `SELECT current_setting('server_version_num')::int AS v`,
  );
  await client.end();
  const source = makeDataSource(testSettings(), databaseAt(url, template), []);
  await source.initialize();
  await migrateUp(source);
  await source.destroy();
  return { template, copyFiles: Number(rows[0]?.v) >= 150_000 };
}
