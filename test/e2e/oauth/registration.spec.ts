import { startHarness, type Harness } from '../../harness';
import { Browser, unescaped } from './browser';

const PAGE = '/service/developer';
const CREATE = `${PAGE}/applications`;

let harness: Harness;
let browser: Browser;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('dev');
});
afterAll(() => harness.close());

const create = (fields: Record<string, string>) =>
  browser.fillAndFollow(PAGE, CREATE, { name: 'An app', redirect_uris: '', ...fields });

const count = async (): Promise<number> =>
  (await harness.source.query('SELECT count(*)::int AS n FROM applications'))[0].n;

/** Addresses that no response may be sent to (RFC 9700, sections 2.1 and 4.1; RFC 8252). */
const REFUSED = {
  script: 'javascript:alert(1)',
  'script that looks like an address': 'javascript://client.example/%0aalert(1)',
  'script in capitals': 'JavaScript:alert(1)',
  data: 'data:text/html,x',
  'older script': 'vbscript:x',
  file: 'file:///etc/passwd',
  blob: 'blob:https://client.example/x',
  'plain http': 'http://client.example/callback',
  'plain http on almost the own machine': 'http://localhost.attacker.example/callback',
  'plain http on all addresses': 'http://0.0.0.0/callback',
  fragment: 'https://client.example/callback#x',
  'empty fragment': 'https://client.example/callback#',
  userinfo: 'https://user:secret@client.example/callback',
  'user alone': 'https://user@client.example/callback',
  backslash: 'https://client.example\\callback',
  'no scheme': 'client.example/callback',
  relative: '/callback',
  'no host': 'https://',
  'no slashes': 'https:client.example/callback',
  'three slashes': 'https:///client.example/callback',
  'beyond ASCII': 'https://client.example/\u00e9',
  'a policy in the host': 'https://client.example;sandbox/callback',
  'a second policy in the host': 'https://client.example,sandbox/callback',
  'a scheme without a domain': 'myapp:/callback',
};

describe('a redirect URI', () => {
  it.each(Object.entries(REFUSED))('cannot be %s', async (_, uri) => {
    const before = await count();
    const { status, text } = await create({ redirect_uris: `https://good.example\n${uri}` });
    expect(status).toBe(400);
    expect(unescaped(text)).toContain(`Invalid redirect URI: ${uri}`);
    expect(await count()).toBe(before);
  });

  it.each(Object.entries(REFUSED))('cannot become %s later', async (_, uri) => {
    const redirect_uris = 'https://good.example/kept';
    const made = await create({ redirect_uris });
    const [, path] = /href="([^"]+)\/settings"/.exec(made.text) ?? [];
    const { status } = await browser.fill(String(path), `${String(path)}/settings`, {
      name: 'An app',
      redirect_uris: uri,
    });
    expect(status).toBe(400);
    const page = await browser.open(`${String(path)}/settings`);
    expect(page.text).toContain(`\n${redirect_uris}</textarea>`);
  });

  it.each([
    'https://client.example/callback',
    'https://client.example:8443/callback?tenant=1',
    'https://[2001:db8::1]/callback',
    'https://xn--bcher-kva.example/',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9999/callback',
    'com.example.app:/callback',
  ])('can be %s', async (redirect_uris) => {
    const { status } = await create({ redirect_uris });
    expect(status).toBe(200);
    const [row] = await harness.source.query(
      'SELECT redirect_uris FROM applications ORDER BY id DESC LIMIT 1',
    );
    expect(row.redirect_uris).toEqual([redirect_uris]);
  });

  it('may be one of ten, each of 500 characters', async () => {
    const uri = (at: number, length: number) => `https://client.example/${at}`.padEnd(length, 'x');
    const many = (number: number, length: number) =>
      Array.from({ length: number }, (_, at) => uri(at, length)).join('\n');
    expect((await create({ redirect_uris: many(10, 500) })).status).toBe(200);
    expect((await create({ redirect_uris: many(11, 50) })).status).toBe(400);
    expect((await create({ redirect_uris: many(1, 501) })).status).toBe(400);
  });
});

describe('the name of an application', () => {
  const NAMES = ['', '   ', 'x'.repeat(61), '\u0007', '\u200b', 'a\u202eb', 'a\u2066b', '...'];
  it.each(NAMES)('cannot be %j', async (name) => {
    const { status, text } = await create({ name });
    expect([status, text.includes('The name must have 1 to 60 visible characters.')]).toEqual([
      400,
      true,
    ]);
  });

  it.each([
    'Commonplace',
    'my commonplace app',
    'C-o-m.m o n p l a c e',
    '\uff23ommonplace',
    '\u0421\u043emmonpl\u0430ce',
  ])('does not contain that of the service: %s', async (name) => {
    const before = await count();
    const { status, text } = await create({ name });
    expect(status).toBe(400);
    expect(text).toContain('The name must not contain the name of this service.');
    expect(await count()).toBe(before);
  });

  it('cannot be changed to contain it', async () => {
    const made = await create({ name: 'Good' });
    const [, path] = /href="([^"]+)\/settings"/.exec(made.text) ?? [];
    const { status } = await browser.fill(String(path), `${String(path)}/settings`, {
      name: 'Commonplace',
      redirect_uris: '',
    });
    expect(status).toBe(400);
    expect((await browser.open(String(path))).text).toContain('<h1>Good</h1>');
  });

  it.each(['x', '读书笔记', '📚'.repeat(60)])('can be %s', async (name) => {
    const { status, text } = await create({ name });
    expect([status, text.includes(`<h1>${name}</h1>`)]).toEqual([200, true]);
  });
});

describe('applications of one user', () => {
  it('are 50 at most', async () => {
    await new Browser(harness).register('busy');
    await harness.source.query(
      `INSERT INTO applications (client_id, name, scopes, owner_id)
       SELECT 'busy' || n, 'Busy', '{}', u.id FROM users u, generate_series(1, 49) n
       WHERE u.uid = 'busy'`,
    );
    const busy = new Browser(harness);
    await busy.signIn('busy');
    const make = () => busy.fill(PAGE, CREATE, { name: 'One more', redirect_uris: '' });
    expect((await make()).status).toBe(303);
    const { status, text } = await make();
    expect([status, text.includes('50 apps')]).toEqual([400, true]);
  });
});
