import { type Harness } from '../../harness';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { Browser } from './browser';
import { REDIRECT } from './flows';

const PAGE = '/service/developer';

let harness: Harness;
let dev: Browser;
let app: string;
let testKey: string;
beforeAll(async () => {
  harness = await startWithPictures();
  dev = await new Browser(harness).register('dev');
  const fields = { name: 'Logged', redirect_uris: REDIRECT };
  app = await pathAfter(dev.fill(PAGE, `${PAGE}/applications`, fields));
  testKey = await pathAfter(dev.fill(`${app}/keys`, `${app}/test`, {}));
  await uploadLogo();
});
afterAll(() => harness.close());

/** The path of the application that a form redirects to. */
async function pathAfter(done: ReturnType<Browser['fill']>): Promise<string> {
  const { headers } = await done;
  return String(/^(.*\/\w+)\/keys\?/.exec(headers.get('location') ?? '')?.[1]);
}
const uploadLogo = async () => {
  const file = { name: 'logo', bytes: await someJpeg(90, 90) };
  return dev.upload(`${app}/settings`, `${app}/logo`, file);
};

/** Every form that changes an application. */
const FORMS: Readonly<Record<string, () => ReturnType<Browser['fill']>>> = {
  'a new application': () =>
    dev.fill(PAGE, `${PAGE}/applications`, { name: 'Second', redirect_uris: REDIRECT }),
  'a new secret': () => dev.fill(`${app}/keys`, `${app}/secret`, {}),
  settings: () =>
    dev.fill(`${app}/settings`, `${app}/settings`, { name: 'Other', redirect_uris: REDIRECT }),
  'a request': () =>
    dev.fill(`${app}/permissions`, `${app}/request`, { level: 'L2', reason: 'more' }),
  'a logo': uploadLogo,
  'the removal of a logo': () => dev.fill(`${app}/settings`, `${app}/logo/delete`, {}),
  'the deletion of a test key': () => dev.fill(`${testKey}/keys`, `${testKey}/test/delete`, {}),
  'a test key': () => dev.fill(`${app}/keys`, `${app}/test`, {}),
  'the deletion of an application': () =>
    dev.fill(`${app}/settings`, `${app}/delete`, { confirm: 'Other' }),
};

const state = async (): Promise<string> => {
  const tables = ['applications', 'application_secrets', 'application_decisions', 'picture_uses'];
  const rows = tables.map((table) =>
    harness.source.query(`SELECT t::text AS row FROM ${table} t ORDER BY 1`),
  );
  return JSON.stringify(await Promise.all(rows));
};
const entries = async (): Promise<number> => {
  const [{ n }] = await harness.source.query('SELECT count(*)::int AS n FROM audit_log');
  return n;
};

it.each(Object.keys(FORMS))('%s changes nothing when the log cannot be written', async (name) => {
  const submit = FORMS[name] as () => ReturnType<Browser['fill']>;
  const before = await state();
  await harness.source.query('ALTER TABLE audit_log ADD CONSTRAINT refuse CHECK (false) NOT VALID');
  try {
    expect((await submit()).status).toBe(500);
  } finally {
    await harness.source.query('ALTER TABLE audit_log DROP CONSTRAINT refuse');
  }
  expect(await state()).toBe(before);
  const logged = await entries();
  expect((await submit()).status).toBe(303);
  expect(await state()).not.toBe(before);
  expect(await entries()).toBe(logged + 1);
});
