import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminUsersService } from '../../src/admin/users.service';
import { LIMIT_NAMES } from '../../src/config/limit-settings';
import { readSettings } from '../../src/config/settings';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { UsersService } from '../../src/users/users.service';
import setUpDatabase from '../global-setup';
import { PgBouncer, POOL_MODES } from '../faults/pgbouncer/pgbouncer';
import { startHarness, type Harness } from '../harness';

/**
 * Starts an empty service with the default limits and captchas, unless SERVICE_URL names a running
 * service. All files share it. With SERVICE_POOLING it connects through a PgBouncer in that mode.
 */
export default async function setUp(config?: { testNamePattern?: string }): Promise<void> {
  await setUpDatabase(config);
  const usual = readSettings({});
  const names = [...LIMIT_NAMES, 'CAPTCHA_AFTER', 'TOKEN_CACHE_SECONDS'] as const;
  const pooler = await openPooler(process.env.SERVICE_POOLING);
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-service-'));
  // Only for the service: the processes of Jest inherit these flags, too.
  const flags = [...process.execArgv];
  process.execArgv = [...flags, '--require', join(__dirname, '../e2e/process/typescript.js')];
  const harness = await startHarness({
    reachable: true,
    pooler,
    settings: {
      ...Object.fromEntries(names.map((name) => [name, String(usual[name])])),
      PICTURES_DIR: join(folder, 'pictures'),
      TRANSFER_DIR: join(folder, 'transfer'),
    },
  });
  process.execArgv = flags;
  globalThis.testServer?.users.push(async () => {
    await harness.close();
    await pooler?.close();
    await rm(folder, { recursive: true, force: true });
  });
  process.env.SERVICE_URL = harness.origin;
  process.env.SERVICE_ADMIN_TOKEN = await administratorToken(harness);
}

async function openPooler(wanted = ''): Promise<PgBouncer | undefined> {
  if (wanted === '') return undefined;
  const mode = POOL_MODES.find((one) => one === wanted);
  if (!mode) throw new Error(`SERVICE_POOLING is ${POOL_MODES.join(' or ')}`);
  return PgBouncer.open(String(process.env.TEST_SERVER_URL), { mode });
}

/** Creates the first administrator as the command line does (docs/administration.md). */
async function administratorToken({ app }: Harness): Promise<string> {
  const users = app.get(UsersService, { strict: false });
  const { id: userId, uid } = await users.create('ann', 'Ann');
  const actor = { name: 'cli' };
  await app.get(AdminUsersService, { strict: false }).setRole(userId, 'administrator', actor);
  const applications = app.get(ApplicationsService, { strict: false });
  const scopes = ['admin'];
  const { clientId } = await applications.create({ name: `Console of ${uid}`, scopes });
  return applications.issue({ clientId, userId, scopes, ttl: 3600 });
}
