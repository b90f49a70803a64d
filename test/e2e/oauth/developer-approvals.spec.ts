import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { Browser, type Fields } from './browser';

const PAGE = '/service/developer';
const DAY = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
const CONTACT = 'help@service.example';
const CONDITIONS = [
  'Show the rating together with the data',
  'Link the data to the page of the subject',
  'Label reviews with the name of this service',
  'Do not use the name of this service',
  'must not use the same kind of data from other providers',
];

let harness: Harness;
let dev: Browser;
let approvals: ApprovalsService;

beforeAll(async () => {
  harness = await startHarness({ settings: { CONTACT } });
  dev = await new Browser(harness).register('dev');
  approvals = harness.app.get(ApprovalsService, { strict: false });
});
afterAll(() => harness.close());

interface Own {
  readonly clientId: string;
  readonly path: string;
}

async function anApplication(name = 'An app'): Promise<Own> {
  const { status, text } = await dev.fillAndFollow(PAGE, `${PAGE}/applications`, {
    name,
    redirect_uris: '',
  });
  expect(status).toBe(200);
  const [, clientId = ''] = /id="client_id">(\w+)</.exec(text) ?? [];
  return { clientId, path: `${PAGE}/applications/${clientId}` };
}

const requestApproval = ({ path }: Own, fields: Fields) =>
  dev.fill(`${path}/permissions`, `${path}/request`, { reason: 'For my readers', ...fields });

/** Rows of the history on a page: what, state, who, when, why. */
async function history({ path }: Own): Promise<string[][]> {
  const { text } = await dev.open(`${path}/permissions`);
  const [body = ''] = /<h2>Requests and decisions<\/h2>[^]*?<\/table>/.exec(text) ?? [];
  return [...body.matchAll(/<tr>([^]*?)<\/tr>/g)]
    .map(([, row]) =>
      [...String(row).matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell]) =>
        String(cell)
          .replace(/<[^>]+>/g, '')
          .trim(),
      ),
    )
    .filter((cells) => cells.length > 0);
}

describe('a visitor without a session', () => {
  it.each([PAGE, `${PAGE}/applications/some`, '/service/account'])(
    'is redirected from %s to the sign-in page, and back',
    async (path) => {
      const { status, headers } = await new Browser(harness).open(path);
      const location = `/service/sign-in?return_to=${encodeURIComponent(path)}`;
      expect([status, headers.get('location')]).toEqual([303, location]);
    },
  );
});

describe('an application of another developer', () => {
  it('is not found (404, code 1001), like an unknown one', async () => {
    const own = await anApplication();
    const other = await new Browser(harness).register('other');
    const form_token = await other.formToken();
    const responses = [];
    for (const path of [own.path, `${PAGE}/applications/none`]) {
      const page = await other.open(path, { accept: '*/*' });
      responses.push([page.status, page.body.code]);
      for (const tab of ['keys', 'permissions', 'use', 'failures', 'settings']) {
        const { status, body } = await other.open(`${path}/${tab}`, { accept: '*/*' });
        responses.push([status, body.code]);
      }
      for (const action of ['secret', 'settings', 'request', 'keys/stored', 'delete']) {
        const fields = {
          form_token,
          name: 'Taken over',
          confirm: 'An app',
          level: 'L3',
          reason: 'x',
        };
        const { status, body } = await other.post(`${path}/${action}`, fields, { accept: '*/*' });
        responses.push([status, body.code]);
      }
    }
    expect(responses).toEqual(responses.map(() => [404, 1001]));
    expect((await other.open(PAGE)).text).not.toContain(own.clientId);
    const [row] = await harness.source.query(
      `SELECT a.name, (SELECT count(*)::int FROM application_secrets s
         WHERE s.application_id = a.id) AS secrets FROM applications a WHERE client_id = $1`,
      [own.clientId],
    );
    expect(row).toEqual({ name: 'An app', secrets: 1 });
    expect(await history(own)).toEqual([]);
  });

  it('or without a developer, which administrators created, is not found', async () => {
    await harness.source.query(
      `INSERT INTO applications (client_id, name, scopes) VALUES ('admins', 'x', '{}')`,
    );
    expect((await dev.open(`${PAGE}/applications/admins`)).status).toBe(404);
  });
});

describe('a new application', () => {
  it('is rejected beyond the fiftieth, also in concurrent requests', async () => {
    const many = await new Browser(harness).register('many');
    const form_token = await many.formToken();
    const make = () =>
      many.post(`${PAGE}/applications`, { form_token, name: 'x', redirect_uris: '' });
    const responses = await Promise.all(Array.from({ length: 60 }, make));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(50).fill(303), ...Array<number>(10).fill(400)]);
  });

  it('works at once, at the lowest level, with the basic scopes', async () => {
    const { clientId } = await anApplication('Fresh');
    expect((await harness.call(`/v2/book/0?apikey=${clientId}`)).body.code).toBe(6000);
    const [row] = await harness.source.query(
      'SELECT level, scopes FROM applications WHERE client_id = $1',
      [clientId],
    );
    expect(row).toEqual({
      level: 'L1',
      scopes: [
        'book_basic_r',
        'book_basic_w',
        'service_basic_common',
        'community_basic_note',
        'event_basic_r',
        'event_basic_w',
        'movie_basic_r',
      ],
    });
    expect((await dev.open(PAGE)).text).toContain(`/service/developer/applications/${clientId}"`);
  });
});

describe('a request for a level or scope', () => {
  it('is stored once when it is repeated or concurrent', async () => {
    const own = await anApplication();
    const scope = 'movie_basic_w';
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => requestApproval(own, { scope, agreed: 'yes' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]));
    expect((await history(own)).map(([what, state]) => [what, state])).toEqual([
      [scope, 'requested'],
    ]);
    await approvals.decline(own.clientId, { scopes: [scope] }, { actor: 'ann' });
    await requestApproval(own, { scope, agreed: 'yes' });
    expect((await history(own)).map(([, state]) => state)).toEqual([
      'requested',
      'declined',
      'requested',
    ]);
  });

  it('keeps the entered values when it is rejected', async () => {
    const own = await anApplication();
    const fields = { scope: 'movie_advance_r', level: 'L2', reason: 'My <long> reason' };
    const { status, text } = await requestApproval(own, fields);
    expect(status).toBe(400);
    expect(text).toContain('My &lt;long&gt; reason</textarea');
    expect(text).toMatch(/value="movie_advance_r"\s+checked/);
    expect(text).toMatch(/value="L2"\s+selected/);
  });

  it('requires a level or scope, and a reason', async () => {
    const own = await anApplication();
    for (const [fields, message] of [
      [{}, 'Select a scope or a level.'],
      [{ scope: 'everything', level: 'L9' }, 'Select a scope or a level.'],
      // A scope that it has already.
      [{ scope: 'book_basic_r', level: 'L1' }, 'Select a scope or a level.'],
      [{ level: 'L2', reason: ' ' }, 'Describe the purpose'],
      [{ level: 'L2', reason: 'x'.repeat(2001) }, 'Describe the purpose'],
    ] as const) {
      const { status, text } = await requestApproval(own, fields);
      expect([status, text.includes(message)]).toEqual([400, true]);
    }
    expect(await history(own)).toEqual([]);
  });

  it('for movie data requires agreement to its conditions (specification section 5)', async () => {
    const own = await anApplication();
    const { text } = await dev.open(`${own.path}/permissions`);
    for (const condition of CONDITIONS) expect(text).toContain(condition);
    const scope = 'movie_advance_r';
    const without = await requestApproval(own, { scope });
    expect(without.status).toBe(400);
    expect(without.text).toContain('require that you accept the conditions');
    expect(await history(own)).toEqual([]);
    expect((await requestApproval(own, { scope, agreed: 'yes' })).status).toBe(303);
    const [[what, state, who, when, why = ''] = []] = await history(own);
    expect([what, state, who, when]).toEqual([scope, 'requested', 'dev', DAY]);
    expect(why).toMatch(/^For my readers\s+\(agreed to the conditions for movie data\)$/);
  });

  it('grants nothing before approval', async () => {
    const own = await anApplication();
    await requestApproval(own, { scope: 'movie_premium_r', level: 'L3', agreed: 'yes' });
    const [row] = await harness.source.query(
      `SELECT level, 'movie_premium_r' = ANY (scopes) AS has FROM applications
       WHERE client_id = $1`,
      [own.clientId],
    );
    expect(row).toEqual({ level: 'L1', has: false });
  });
});

describe('the history of requests', () => {
  it('shows who decided, when and why, newest first', async () => {
    const own = await anApplication();
    await requestApproval(own, {
      scope: ['movie_advance_r', 'movie_advance_w'],
      level: 'L2',
      agreed: 'yes',
    });
    const decide = (reason: string) => ({ actor: 'administrator', reason });
    const one = { scopes: ['movie_advance_r'] };
    await approvals.approve(own.clientId, { ...one, level: 'L2' }, decide('welcome'));
    await approvals.decline(own.clientId, { scopes: ['movie_advance_w'] }, decide('not open'));
    const page = await dev.open(own.path);
    expect(page.text).toContain(
      'L2 · access tokens are valid for 30 days, refresh tokens for 60 days',
    );
    const permissions = async () => (await dev.open(`${own.path}/permissions`)).text;
    expect(await permissions()).toMatch(/<code>movie_advance_w<\/code>[^]*?declined[^]*?not open/);
    await approvals.suspend(own.clientId, one, decide('a complaint'));
    expect(await permissions()).toMatch(/<code>movie_advance_r<\/code>[^]*?suspended/);
    expect((await history(own)).map((row) => row.slice(0, 4))).toEqual([
      ['movie_advance_r', 'suspended', 'administrator', DAY],
      ['movie_advance_w', 'declined', 'administrator', DAY],
      ['L2', 'approved', 'administrator', DAY],
      ['movie_advance_r', 'approved', 'administrator', DAY],
      ['L2', 'requested', 'dev', DAY],
      ['movie_advance_w', 'requested', 'dev', DAY],
      ['movie_advance_r', 'requested', 'dev', DAY],
    ]);
    const reasons = (await history(own)).map((row) => row[4]);
    expect(reasons.slice(0, 4)).toEqual(['a complaint', 'not open', 'welcome', 'welcome']);
  });

  it('shows the lower level when a level is suspended', async () => {
    const own = await anApplication();
    const sql = 'SELECT level FROM applications WHERE client_id = $1';
    const levelOf = async (): Promise<string> =>
      (await harness.source.query(sql, [own.clientId]))[0].level;
    const decider = { actor: 'administrator' };
    await approvals.approve(own.clientId, { scopes: [], level: 'L3' }, decider);
    expect(await levelOf()).toBe('L3');
    await approvals.suspend(own.clientId, { scopes: [], level: 'L3' }, decider);
    expect(await levelOf()).toBe('L2');
    await approvals.decline(own.clientId, { scopes: [], level: 'L3' }, decider);
    expect(await levelOf()).toBe('L2');
  });
});

describe('a blocked application', () => {
  it('shows its developer the reason, the time and the contact', async () => {
    const own = await anApplication();
    const reason = 'It copies everything';
    const block = { actor: 'administrator', reason, contact: CONTACT };
    await approvals.block(own.clientId, block);
    const { text } = await dev.open(own.path);
    expect(text).toContain('This app is blocked');
    expect(text).toContain('Reason: It copies everything');
    expect(text).toContain(`<a href="mailto:${CONTACT}">${CONTACT}</a>`);
    expect((await dev.open(PAGE)).text).toMatch(new RegExp(`blocked[^]*${own.clientId}`));
    expect(await history(own)).toEqual([
      ['app', 'blocked', 'administrator', DAY, 'It copies everything'],
    ]);
    await approvals.unblock(own.clientId, { actor: 'administrator', reason: 'sorry' });
    expect((await dev.open(own.path)).text).not.toContain('This app is blocked');
    expect((await history(own))[0]).toEqual(['app', 'unblocked', 'administrator', DAY, 'sorry']);
  });

  it('cannot be unblocked by its developer', async () => {
    const own = await anApplication();
    const block = { actor: 'administrator', reason: 'It copies', contact: CONTACT };
    await approvals.block(own.clientId, block);
    expect((await dev.open(own.path)).text).toContain('Reason: It copies');
    const fields = { name: 'Other', redirect_uris: '' };
    await dev.fill(`${own.path}/settings`, `${own.path}/settings`, fields);
    await dev.fill(`${own.path}/keys`, `${own.path}/secret`, {});
    const { status, body } = await harness.call(`/v2/book/0?apikey=${own.clientId}`);
    expect([status, body.code]).toEqual([403, 105]);
  });
});
