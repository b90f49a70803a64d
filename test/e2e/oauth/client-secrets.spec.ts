import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from './browser';
import { callAs, sha256, TOKEN, type TestClient } from './flows';

const PAGE = '/service/developer';

let harness: Harness;
let browser: Browser;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('dev');
});
afterAll(() => harness.close());

const secretOn = (page: string): string | undefined => /id="secret">([^<]+)</.exec(page)?.[1];

/** A new application with the secret that its page showed. */
async function made(kind = 'confidential'): Promise<TestClient & { path: string }> {
  const fields = { name: 'An app', redirect_uris: '', kind };
  const { text, headers } = await browser.fillAndFollow(PAGE, `${PAGE}/applications`, fields);
  expect(headers.get('cache-control')).toBe('no-store');
  const [, clientId = ''] = /id="client_id">(\w+)</.exec(text) ?? [];
  return { clientId, secret: secretOn(text), path: `${PAGE}/applications/${clientId}` };
}

const rotate = async (path: string): Promise<string> => {
  const { status, text } = await browser.fillAndFollow(`${path}/keys`, `${path}/secret`, {});
  expect(status).toBe(200);
  return String(secretOn(text));
};

const works = async ({ clientId }: TestClient, secret = ''): Promise<boolean> => {
  const own = { clientId, secret };
  const { status } = await callAs(harness, own, TOKEN, { grant_type: 'client_credentials' });
  expect([200, 401]).toContain(status);
  return status === 200;
};

const move = (secret: string) =>
  harness.source.query('UPDATE application_secrets SET expires_at = now() WHERE hash = $1', [
    sha256(secret),
  ]);

/** Seconds that a secret has left; null for one without an end. */
const left = async (secret: string): Promise<number | null> =>
  (
    await harness.source.query(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
       FROM application_secrets WHERE hash = $1`,
      [sha256(secret)],
    )
  )[0].hours;

describe('the secret of an application', () => {
  it('is shown once, and works', async () => {
    const application = await made();
    expect(application.secret).toMatch(/^cpcs_[\w-]{43}$/);
    expect(await works(application, application.secret)).toBe(true);
    for (const path of [application.path, PAGE]) {
      const { status, text } = await browser.open(path);
      expect([status, text.includes(String(application.secret))]).toEqual([200, false]);
    }
  });

  it('does not exist for a public application, also not later', async () => {
    const application = await made('public');
    expect(application.secret).toBeUndefined();
    const { text } = await browser.open(`${application.path}/keys`);
    expect(text).toContain('Public apps have no secret. They use PKCE.');
    const { status } = await browser.fill(PAGE, `${application.path}/secret`, {});
    expect(status).toBe(404);
    const [{ n }] = await harness.source.query(
      `SELECT count(*)::int AS n FROM application_secrets s
       JOIN applications a ON a.id = s.application_id WHERE a.client_id = $1`,
      [application.clientId],
    );
    expect(n).toBe(0);
  });

  it('is valid for a week after its replacement', async () => {
    const application = await made();
    const first = String(application.secret);
    const second = await rotate(application.path);
    expect(second).not.toBe(first);
    expect([await works(application, first), await works(application, second)]).toEqual([
      true,
      true,
    ]);
    expect([await left(first), await left(second)]).toEqual([7 * 24, null]);
    await move(first);
    expect([await works(application, first), await works(application, second)]).toEqual([
      false,
      true,
    ]);
  });

  it('is one of at most two: a third revokes the first, also in concurrent requests', async () => {
    const application = await made();
    await rotate(application.path);
    await rotate(application.path);
    expect(await works(application, application.secret)).toBe(false);
    await Promise.all(Array.from({ length: 10 }, () => rotate(application.path)));
    const [row] = await harness.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM application_secrets s JOIN applications a
         ON a.id = s.application_id WHERE a.client_id = $1`,
      [application.clientId],
    );
    expect(row?.n).toBe(2);
  });

  it('is valid for a week also when the form of its replacement is sent twice', async () => {
    const application = await made();
    const first = String(application.secret);
    const fields = hiddenFields((await browser.open(`${application.path}/keys`)).text);
    const send = async () => {
      const { status, headers } = await browser.post(`${application.path}/secret`, fields);
      return `${status} ${headers.get('location')}`;
    };
    const keys = `${application.path}/keys`;
    expect((await Promise.all([send(), send()])).sort()).toEqual([
      `303 ${keys}`,
      `303 ${keys}?did=rotate`,
    ]);
    expect(await send()).toBe(`303 ${keys}`);
    const second = String(secretOn((await browser.open(keys)).text));
    expect([await left(first), await left(second)]).toEqual([7 * 24, null]);
    const [row] = await harness.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM audit_log WHERE action = 'application.rotate_secret'
         AND target_id = $1`,
      [application.clientId],
    );
    expect(row?.n).toBe(1);
  });

  it('is valid for its own application only', async () => {
    const [one, other] = [await made(), await made()];
    expect(await works(one, other.secret)).toBe(false);
  });

  it('has its dates on the page', async () => {
    const application = await made();
    await rotate(application.path);
    const { text } = await browser.open(`${application.path}/keys`);
    expect(text.match(/created on \d{4}-\d{2}-\d{2}/g)).toHaveLength(2);
    expect(text.match(/valid until \d{4}-\d{2}-\d{2}/g)).toHaveLength(1);
  });
});
