import { readdir } from 'node:fs/promises';
import { PictureSweeper } from '../../../src/images/picture-sweeper';
import { Attempts } from '../../../src/oauth/attempts';
import { flat, handmadePng, noise, scene } from '../../factories/pictures';
import { type Harness, type TestResponse } from '../../harness';
import { signedInAdministrator } from '../console/administrator';
import { startWithPictures } from '../pictures/pictures';
import { Browser } from './browser';
import { authorizationOf, REDIRECT } from './flows';

const PAGE = '/service/developer';
const LOGO = /<img\s+class="logo \w+"\s+src="(\/pictures\/u\/[0-9a-f]{64}-s\.(?:png|jpg))"/;
const TILE = /<span class="logo \w+ drawn d\d" aria-hidden="true"\s*>(.)<\/span/;

let harness: Harness & { readonly folder: string };
let dev: Browser;
let administrator: Browser;
let png: Buffer;
beforeAll(async () => {
  harness = await startWithPictures({ USER_PICTURES_MB: '1' });
  dev = await new Browser(harness).register('dev');
  administrator = await signedInAdministrator(harness, 'root');
  png = await flat(400, 400, '#123456').png().toBuffer();
});
afterAll(() => harness.close());

interface App {
  readonly clientId: string;
  readonly path: string;
}

async function anApp(name = 'Shelf', browser = dev): Promise<App> {
  const fields = { name, redirect_uris: REDIRECT };
  const { headers } = await browser.fill(PAGE, `${PAGE}/applications`, fields);
  const [, path = '', clientId = ''] =
    /^(.*\/(\w+))\/keys\?/.exec(headers.get('location') ?? '') ?? [];
  return { clientId, path };
}

const upload = (
  { path }: App,
  bytes: Buffer,
  { by = dev, headers = {}, name = 'logo' } = {},
): Promise<TestResponse> => by.upload(PAGE, `${path}/logo`, { name, bytes }, headers);

const shownOn = async (path: string, by = dev): Promise<string | undefined> =>
  LOGO.exec((await by.open(path)).text)?.[1];

const consentOf = ({ clientId }: App): string => authorizationOf({ clientId, secret: undefined });

const files = async (): Promise<number> =>
  (await readdir(harness.folder, { recursive: true })).filter((name) => name.includes('-')).length;

it('is shown to developers, users and administrators, also for the test key', async () => {
  const app = await anApp();
  const { headers } = await dev.fill(`${app.path}/keys`, `${app.path}/test`, {});
  const [testKey = ''] = String(headers.get('location')).split('/keys');
  const none = await dev.open(consentOf(app));
  expect(TILE.exec(none.text)?.[1]).toBe('S');
  expect(TILE.exec((await dev.open(`${testKey}/keys`)).text)?.[0]).toContain(
    /drawn d\d/.exec(none.text)?.[0],
  );

  const saved = await upload(app, png);
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    `${app.path}/settings?did=logo`,
  ]);
  expect((await dev.open(`${app.path}/settings?did=logo`)).text).toContain('The logo is saved.');
  await dev.fill(consentOf(app), '/service/auth2/auth', { decision: 'allow' });
  await harness.source.query(
    `INSERT INTO refresh_tokens (hash, grant_id, scopes, expires_at)
     SELECT '\\x01', id, scopes, now() + interval '1 day' FROM grants`,
  );
  const logo = await shownOn(consentOf(app));
  for (const [path, by] of [
    [PAGE, dev],
    ...['', '/keys', '/settings'].map((tab) => [app.path + tab, dev] as const),
    [`${testKey}/keys`, dev],
    ['/service/account', dev],
    ['/admin/applications', administrator],
    [`/admin/applications/${app.clientId}`, administrator],
  ] as const)
    expect([path, await shownOn(path, by)]).toEqual([path, logo]);

  const served = await harness.call(String(logo));
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(served.headers.get('cache-control')).toContain('immutable');
  expect((await dev.open(consentOf(app))).headers.get('content-security-policy')).toContain(
    "img-src 'self';",
  );

  // A JPEG replaces it. The former logo is gone at once, its files after the grace period.
  expect((await upload(app, await scene().jpeg().toBuffer())).status).toBe(303);
  expect(await shownOn(app.path)).toMatch(/-s\.jpg$/);
  expect((await harness.call(String(logo))).status).toBe(404);
});

it('is refused with the reason beside the field, and the former one stays', async () => {
  const app = await anApp();
  await upload(app, png);
  const logo = await shownOn(app.path);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const jpeg = await scene().jpeg().toBuffer();
  const large = Buffer.concat([png, Buffer.alloc(3 * 1024 * 1024)]);
  // 900 million pixels in 110 kilobytes.
  const bomb = handmadePng(30_000, 30_000, 1);
  for (const [bytes, reason] of [
    [svg, 'The file is not a JPEG, PNG, GIF or BMP picture.'],
    [large, 'The file is too large. It must be smaller than 3 MB.'],
    [Buffer.alloc(9 * 1024 * 1024), 'The file is too large. It must be smaller than 3 MB.'],
    [bomb, 'The picture is damaged, or it has too many pixels.'],
    [jpeg.subarray(0, 300), 'The picture is damaged, or it has too many pixels.'],
    [await noise(700, 700).png().toBuffer(), 'Your pictures use all of your storage.'],
  ] as const) {
    const { status, text } = await upload(app, bytes);
    const [, shown] = /id="logo-error" role="alert">([^<]+)<\/p>\s*<input\s+type="file"/.exec(
      text,
    ) ?? [text];
    expect([status, shown]).toEqual([400, expect.stringContaining(reason)]);
    expect(text).toContain('aria-describedby="logo-hint logo-error"');
  }
  const missing = 'The server received no complete picture.';
  expect((await upload(app, png, { name: 'other' })).text).toContain(missing);
  expect((await dev.fill(PAGE, `${app.path}/logo`, {})).text).toContain(missing);
  expect(await shownOn(app.path)).toBe(logo);
});

it('belongs to the developer of the application alone', async () => {
  const app = await anApp();
  const eve = await new Browser(harness).register('eve');
  expect((await upload(app, png, { by: eve })).status).toBe(404);
  expect((await eve.fill(PAGE, `${app.path}/logo/delete`, {})).status).toBe(404);
  const { headers } = await dev.fill(`${app.path}/keys`, `${app.path}/test`, {});
  const [path = ''] = String(headers.get('location')).split('/keys');
  expect((await upload({ ...app, path }, png)).status).toBe(404);
  expect((await dev.fill(PAGE, `${path}/logo/delete`, {})).status).toBe(404);
  // Refused before the body, whose picture would be too large.
  const large = Buffer.alloc(4 * 1024 * 1024);
  const foreign = { origin: 'https://attacker.example' };
  expect((await upload(app, large, { headers: foreign })).status).toBe(403);
  expect((await upload(app, large, { by: new Browser(harness) })).status).toBe(403);
  expect(TILE.test((await dev.open(app.path)).text)).toBe(true);
});

it('counts as one form of the developer, before its body is received', async () => {
  const ann = await new Browser(harness).register('ann');
  const app = await anApp('Of Ann', ann);
  const attempts = harness.app.get(Attempts, { strict: false });
  const [user] = await harness.source.query<{ id: string }[]>(
    `SELECT id FROM users WHERE uid = 'ann'`,
  );
  const key = ['developerForm', String(user?.id)] as const;
  const before = await attempts.used(key);
  await upload(app, png, { by: ann });
  await upload(app, Buffer.alloc(4 * 1024 * 1024), { by: ann });
  expect(await attempts.used(key)).toBe(before + 2);
  while ((await attempts.wait(key)) === undefined) await attempts.record(key);
  expect((await upload(app, png, { by: ann })).status).toBe(429);
});

it('is removed by its developer or an administrator, and the log has both', async () => {
  const app = await anApp();
  const remove = () => dev.fill(`${app.path}/settings`, `${app.path}/logo/delete`, {});
  await upload(app, png);
  expect((await remove()).headers.get('location')).toBe(`${app.path}/settings?did=logo-delete`);
  await remove();
  await upload(app, png);
  const page = `/admin/applications/${app.clientId}`;
  const removed = await administrator.fillAndFollow(page, `${page}/logo/delete`, {});
  expect(removed.text).toContain('Logo removed.');
  expect(removed.text).not.toContain(`${page}/logo/delete`);
  expect(TILE.test((await dev.open(consentOf(app))).text)).toBe(true);
  const rows = await harness.source.query<{ entry: string; logo: string | null }[]>(
    `SELECT actor || ' ' || action AS entry, after ->> 'logo' AS logo FROM audit_log
     WHERE target_id = $1 AND action LIKE '%logo' ORDER BY id`,
    [app.clientId],
  );
  expect(rows.map(({ entry, logo }) => [entry, logo === null])).toEqual([
    ['dev application.set_logo', false],
    ['dev application.delete_logo', true],
    ['dev application.set_logo', false],
    ['root application.delete_logo', true],
  ]);
});

it('ends with its application, and the sweeper removes the files of unused logos', async () => {
  const app = await anApp();
  await upload(app, await flat(80, 80, '#abcdef').png().toBuffer());
  const sweeper = harness.app.get(PictureSweeper, { strict: false });
  await sweeper.sweep({ graceSeconds: 0 });
  const before = await files();
  await dev.fill(`${app.path}/settings`, `${app.path}/delete`, { confirm: 'Shelf' });
  // Others may be shown by a second application.
  const counted = `SELECT u.uid FROM pictures p JOIN users u ON u.id = p.unused_owner_id
    WHERE p.hash NOT IN (SELECT hash FROM picture_uses)`;
  expect(await harness.source.query(counted)).toEqual([{ uid: 'dev' }]);
  expect(await sweeper.sweep({ graceSeconds: 0 })).toEqual({ removed: 2, unknown: 0 });
  expect(await files()).toBe(before - 2);
});
