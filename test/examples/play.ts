import { ApplicationsService } from '../../src/oauth/applications.service';
import { Clock } from '../../src/api/clock';
import { SampleService } from '../../src/sample/sample.service';
import { readSettings } from '../../src/config/settings';
import { LIMIT_NAMES } from '../../src/config/limit-settings';
import { SCOPES } from '../../src/api/access/access';
import { flat } from '../factories/pictures';
import { startHarness, type TestResponse, type Harness } from '../harness';
import { ADMIN_STEPS } from './admin-steps';
import { PUBLIC_STEPS, type Step, type Values } from './steps';

/** An executed request with its response. */
export interface Example {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: Values;
  /** JSON, or the text of a file; missing without a body. */
  readonly response?: unknown;
}

/** Ids in the sample of the reader who makes most requests, and of another. */
const READER = 1;
const OTHER = 3;

/** The shape of dates and times; all of this year and later come from the clock. */
const TIME = /\b(20(?:2[5-9]|[3-9]\d)-\d\d-\d\d)( \d\d:\d\d:\d\d)?/g;

/** Members whose values differ in every run, with the values in the examples. */
const VOLATILE: Readonly<Record<string, unknown>> = {
  access_token: 'ACCESS_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  token: 'ACCESS_TOKEN',
  client_id: 'CLIENT_ID',
  clientId: 'CLIENT_ID',
  client_secret: 'CLIENT_SECRET',
  captcha_id: 'CAPTCHA_ID',
  challenge: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  salt: '3f2a9c4d5e6f70819a2b3c4d',
  exp: 1769904000,
  iat: 1769900400,
  reset: 1800,
  request_id: 'REQUEST_ID',
};

/** Signatures of challenges, which differ in every run; users have signatures, too. */
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Members whose time of day is that of the sample; other recent times are those of the run. */
const SCHEDULED = new Set(['begin_time', 'end_time']);

/** A value without what depends on the clock or on chance. */
export function settled(value: unknown, isRead: boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => settled(element, isRead));
  if (typeof value === 'string') {
    if (SIGNATURE.test(value)) return VOLATILE.challenge;
    return value
      .replace(TIME, (_, _day: string, time?: string) =>
        time === undefined ? '2026-02-01' : `2026-02-01${isRead ? time : ' 12:00:00'}`,
      )
      .replace(/\b\d+月\d+日 - \d+月\d+日/, '1月30日 - 2月1日')
      .replace(/\b2\d{3}\d{4}T\d{6}Z?/g, '20260201T120000Z')
      .replace(/\bSEQUENCE:\d+/, 'SEQUENCE:217512000')
      .replace(/\/pictures\/(?!sample)\S+/g, '/pictures/PICTURE.jpg');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name in VOLATILE && member !== '' && member !== null
        ? VOLATILE[name]
        : settled(member, isRead && (typeof member !== 'string' || SCHEDULED.has(name))),
    ]),
  );
}

/** Charts are created in the order of their dates, so that their ids depend on the weekday. */
const withoutIds = (example: Example): Example =>
  JSON.parse(
    JSON.stringify(example, (name, value: unknown) => (name === 'id' ? '1' : value)),
  ) as Example;

const queryOf = (query: Values = {}): string =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      String(value as string | number),
    ]),
  ).toString();

/** The operations of the OpenAPI document that require no token. */
async function openOperations({ call }: Harness): Promise<ReadonlySet<string>> {
  const { body } = await call('/v2/openapi.json');
  const paths = body.paths as Record<string, Record<string, { security?: readonly object[] }>>;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security = [] }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      isOpen: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
    })),
  );
  return new Set(all.filter(({ isOpen }) => isOpen).map(({ name }) => name));
}

/** Sends the requests of the examples to a server with the sample. */
class Player {
  private readonly bodies = new Map<string, unknown>();
  readonly examples: Record<string, Example> = {};

  constructor(
    private readonly harness: Harness,
    private readonly tokens: Readonly<Record<'reader' | 'other' | 'admin', string>>,
    /** Operations that require no token: the printed requests of their examples have none. */
    private readonly open: ReadonlySet<string>,
  ) {}

  async play(step: Step): Promise<void> {
    const { operation, query } = step;
    const [method = '', template = ''] = operation.split(' ');
    const earlier = (name: string): unknown => this.bodies.get(name);
    const path = step.path?.(earlier);
    const body = step.body?.(earlier);
    const address = template.replace(
      /\{(\w+)\}/g,
      (_, name: string) => `${path?.[name] as string | number}`,
    );
    const { status, text } = await this.harness.call(
      `${address}${query ? `?${queryOf(query)}` : ''}`,
      { method, token: this.tokenOf(step), ...(await this.bodyOf(step, body)) },
    );
    if (status >= 300) throw new Error(`${method} ${address}: ${status} ${text}`);
    const response = readBody(text);
    this.bodies.set(operation, response);
    if (step.isPreparation) return;
    // Records of administrators have the times of this run.
    const isRead = method === 'GET' && !template.startsWith('/admin/');
    const example: Example = {
      ...(path && { path: settled(path, isRead) as Values }),
      ...(query && { query }),
      ...(body && { body: settled(body, isRead) as Values }),
      ...(response === undefined
        ? {}
        : { response: settled(shortened(template, response), isRead) }),
    };
    this.examples[operation] = template.includes('/charts') ? withoutIds(example) : example;
  }

  private tokenOf({ operation, caller }: Step): string | undefined {
    if (operation.includes(' /admin/')) return this.tokens.admin;
    if (caller === undefined && this.open.has(operation)) return undefined;
    return operation.includes('/auth2/') ? undefined : this.tokens[caller ?? 'reader'];
  }

  private async bodyOf(step: Step, body: Values | undefined): Promise<object> {
    if (step.picture !== undefined) {
      const form = new FormData();
      for (const [name, value] of Object.entries(body ?? {})) form.append(name, value);
      const bytes = await flat(60, 40, '#336699').jpeg().toBuffer();
      form.append(step.picture, new Blob([Uint8Array.from(bytes)]), 'picture.jpg');
      return { body: form };
    }
    const headers = { 'content-type': 'application/json' };
    return body ? { headers, body: JSON.stringify(body) } : {};
  }
}

function readBody(text: TestResponse['text']): unknown {
  if (text === '') return undefined;
  return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : text;
}

/** OpenAPI documents are too long for an example in themselves. */
function shortened(template: string, response: unknown): unknown {
  if (!template.endsWith('/openapi.json')) return response;
  const { openapi, info } = response as Record<string, unknown>;
  return { openapi, info };
}

/** Steps of the token endpoints, with an application that has a secret. */
const tokenSteps = (clientId: string, secret: string): Step[] => {
  const credentials = { client_id: clientId, client_secret: secret };
  const own = { grant_type: 'client_credentials', scope: 'book_basic_r', ...credentials };
  const token = (earlier: (operation: string) => unknown): Values => ({
    token: (earlier('POST /service/auth2/token') as { access_token: string }).access_token,
    ...credentials,
  });
  return [
    { operation: 'POST /service/auth2/token', body: () => own },
    { operation: 'POST /service/auth2/introspect', body: token },
    { operation: 'POST /service/auth2/revoke', body: token },
  ];
};

/** Noon of this week's Monday in UTC: the dates of the sample depend on the weekday. */
function mondayNoon(): Date {
  const now = new Date();
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - sinceMonday, 12),
  );
}

/** Executes all examples against a fresh sample. @returns them by operation */
export async function playExamples(): Promise<Record<string, Example>> {
  const usual = readSettings({});
  const harness = await startHarness({
    settings: {
      ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, String(usual[name])])),
      // No job is executed, so that its state is known.
      ROLE: 'api',
    },
    beforeServing: (source) =>
      source.query(
        "INSERT INTO banned_words (word, folded, action, created_by) VALUES ('推销', '推销', 'hold', 'cli:test')",
      ),
  });
  try {
    const monday = mondayNoon();
    harness.app.get(Clock, { strict: false }).now = () => monday;
    await harness.app.get(SampleService, { strict: false }).load(monday);
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const made = await applications.create({ name: 'Reading wall', scopes: SCOPES });
    const { clientId } = made;
    const issue = (userId: number, scopes: readonly string[] = SCOPES) =>
      applications.issue({ clientId, userId, scopes, ttl: 3600 });
    await harness.source.query("UPDATE users SET role = 'administrator' WHERE id = $1", [2]);
    const callers = {
      reader: await issue(READER),
      other: await issue(OTHER),
      admin: await harness.token({ userId: 2, scopes: ['admin'], approved: ['admin'] }),
    };
    const player = new Player(harness, callers, await openOperations(harness));
    const tokens = tokenSteps(clientId, String(made.clientSecret));
    const failures: string[] = [];
    for (const step of [...PUBLIC_STEPS, ...tokens, ...ADMIN_STEPS]) {
      await player
        .play(step)
        .catch((error: Error) => failures.push(`${step.operation}: ${error.message}`));
    }
    if (failures.length > 0) throw new Error(failures.join('\n'));
    return player.examples;
  } finally {
    await harness.close();
  }
}
