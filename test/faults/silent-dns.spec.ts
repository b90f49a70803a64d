import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './collectors';
import { Scene } from './scene';

let folder: string;
let silence: string;
let scene: Scene;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dns-'));
  silence = join(folder, 'silent');
  scene = await Scene.open(({ url }) => {
    const named = new URL(url);
    named.hostname = 'db.test';
    return Promise.resolve({
      DATABASE_URL: named.toString(),
      CACHE_MB: '0',
      NODE_OPTIONS: `--require ${join(__dirname, 'silent-dns.js')}`,
      SILENT_DNS: silence,
    });
  });
  path = `/v2/book/${(await scene.people(0, 1)).books[0]}`;
}, 600_000);
afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true, force: true });
});

it('connections to PostgreSQL are opened again while name servers do not respond', async () => {
  expect((await scene.call(path)).status).toBe(200);
  await writeFile(silence, '');
  await scene.postgres.down('fast');
  await scene.postgres.up();
  await until('the service serves', async () => (await scene.call(path)).status === 200);
  await until('all of it works', () => scene.reports('ready'));
});
