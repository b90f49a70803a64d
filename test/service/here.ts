import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminUsersService } from '../../src/admin/users.service';
import { LIMIT_NAMES, readSettings } from '../../src/config/settings';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { UsersService } from '../../src/users/users.service';
import { startHarness } from '../harness';
import { type Place } from './client';

/** The service in this process: empty, with the limits and challenges that it has by default. */
async function serveHere(): Promise<Place> {
  const usual = readSettings({});
  const names = [...LIMIT_NAMES, 'CAPTCHA_AFTER', 'TOKEN_CACHE_SECONDS'] as const;
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-service-'));
  const harness = await startHarness({
    reachable: true,
    settings: {
      ...Object.fromEntries(names.map((name) => [name, String(usual[name])])),
      PICTURES_DIR: join(folder, 'pictures'),
      TRANSFER_DIR: join(folder, 'transfer'),
    },
  });
  // What the command line does for the first administrator (docs/administration.md).
  const { id: userId, uid } = await harness.app
    .get(UsersService, { strict: false })
    .create('ann', 'Ann');
  await harness.app
    .get(AdminUsersService, { strict: false })
    .setRole(userId, 'administrator', { name: `cli:${uid}` });
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const scopes = ['admin'];
  const { clientId } = await applications.create({ name: 'Console', scopes });
  return {
    origin: harness.origin,
    adminToken: await applications.issue({ clientId, userId, scopes, ttl: 3600 }),
    close: async () => {
      await harness.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

globalThis.serveHere = serveHere;
