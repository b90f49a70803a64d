import { Controller, Get, Post } from '@nestjs/common';
import {
  Public,
  RespondsJson,
  RespondsPage,
  RequireScope,
  RequireHttps,
  Tiers,
} from '../../../src/api/routing/route';
import { startHarness, type Harness } from '../../harness';
import { AccessController } from './probe.access';
import { probing } from './probe.module';

@Controller()
class SecureController {
  @Post('probe/secret')
  @Public()
  @RequireHttps()
  @RespondsPage()
  secret() {
    return 'secret';
  }

  @Get('probe/page')
  @Public()
  @RespondsPage()
  page() {
    return 'page';
  }

  @Get('v2/probe/basic')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @RespondsJson({})
  basic() {
    return {};
  }

  @Get('v2/probe/advance')
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @RespondsJson({})
  advance() {
    return {};
  }
}

const root = probing(AccessController, SecureController);
const secure = { 'x-forwarded-proto': 'https' };
const error = (request: string) => ({ msg: 'invalid_request_scheme', code: 100, request });

/** Open to anonymous callers, who may come over HTTP (specification section 5). */
const OPEN = ['/v2/probe/book', '/v2/probe/event', '/v2/probe/open', '/v2/probe/basic'];
/** Requests that require a token (D12, D14). */
const CLOSED = [
  ['GET', '/v2/probe/common'],
  ['GET', '/v2/probe/note'],
  ['POST', '/v2/probe/book'],
  ['POST', '/v2/probe/write'],
  ['DELETE', '/v2/probe/write'],
  ['GET', '/v2/probe/advance'],
] as const;

describe('where HTTPS is required (D17)', () => {
  let harness: Harness;
  let lookUps: string[];
  beforeAll(async () => {
    const settings = { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '1' };
    harness = await startHarness({ root, settings });
    harness.database.onStatement = (name) => lookUps.push(name);
  });
  beforeEach(() => {
    lookUps = [];
  });
  afterAll(() => harness.close());

  describe('over plain HTTP', () => {
    it.each([...OPEN, '/v2/probe/common', '/v2/nowhere', '/v2/probe/write'])(
      '%s with a token: 400, code 100, before the token is checked',
      async (path) => {
        const token = await harness.token();
        lookUps = [];
        for (const proto of ['http', 'https, http']) {
          const { status, body } = await harness.call(path, {
            token,
            headers: { 'x-forwarded-proto': proto },
          });
          expect([status, body]).toEqual([400, error(`GET ${path}`)]);
        }
        const other = await harness.call(path, { headers: { authorization: 'Basic eDp5' } });
        expect(other.status).toBe(400);
        expect(lookUps).toEqual([]);
      },
    );

    it('OPTIONS with a token is answered, and the token is not checked', async () => {
      const token = await harness.token();
      lookUps = [];
      const { status } = await harness.call('/v2/probe/book', { method: 'OPTIONS', token });
      expect([status, lookUps]).toEqual([204, []]);
    });

    it.each(CLOSED)('%s %s, which needs a token: 400, code 100', async (method, path) => {
      const { status, body, headers } = await harness.call(path, { method });
      expect([status, body]).toEqual([400, error(`${method} ${path}`)]);
      expect(headers.get('x-error-detail')).toBe('this request requires HTTPS');
    });

    it.each(OPEN)('%s without a token is served', async (path) => {
      for (const authorization of [undefined, 'Bearer', '']) {
        const headers: Record<string, string> =
          authorization === undefined ? {} : { authorization };
        const response = await harness.call(path, { headers });
        expect([response.status, response.headers.get('strict-transport-security')]).toEqual([
          200,
          null,
        ]);
      }
    });

    it('a public route that handles credentials: 400, code 100', async () => {
      const { status, body } = await harness.call('/probe/secret', { method: 'POST' });
      expect([status, body]).toEqual([400, error('POST /probe/secret')]);
    });

    it('routes outside of the API are served with any header', async () => {
      expect((await harness.call('/probe/page', { token: 'any' })).status).toBe(200);
    });

    it('an unknown path without a token is 404', async () => {
      expect((await harness.call('/v2/nowhere')).status).toBe(404);
    });
  });

  describe('over HTTPS according to the trusted proxy', () => {
    it('all requests are served, with Strict-Transport-Security (RFC 6797)', async () => {
      const token = await harness.token();
      const paths = [...OPEN, '/v2/probe/common', '/v2/probe/advance'];
      for (const path of paths) {
        const { status, headers } = await harness.call(path, { token, headers: secure });
        expect([path, status]).toEqual([path, 200]);
        expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
      }
      const posted = await harness.call('/probe/secret', { method: 'POST', headers: secure });
      expect([posted.status, posted.text]).toEqual([201, 'secret']);
    });

    it('errors are the usual ones', async () => {
      const nowhere = await harness.call('/v2/nowhere', { token: 'any', headers: secure });
      expect([nowhere.status, nowhere.body.code]).toEqual([404, 1001]);
      const wrong = await harness.call(OPEN[0] ?? '', { token: 'any', headers: secure });
      expect([wrong.status, wrong.body.code]).toEqual([401, 103]);
      expect(wrong.headers.get('strict-transport-security')).not.toBeNull();
      const none = await harness.call('/v2/probe/common', { headers: secure });
      expect([none.status, none.body.code]).toEqual([403, 1000]);
    });
  });
});

describe('without a trusted proxy', () => {
  it('X-Forwarded-Proto is ignored', async () => {
    const harness = await startHarness({ root, settings: { REQUIRE_HTTPS: 'true' } });
    try {
      const token = await harness.token();
      const { status, body } = await harness.call('/v2/probe/book', { token, headers: secure });
      expect([status, body.code]).toEqual([400, 100]);
    } finally {
      await harness.close();
    }
  });
});

describe('by default', () => {
  it('HTTPS is required only in production', async () => {
    for (const [NODE_ENV, status] of [
      ['production', 400],
      ['development', 200],
    ] as const) {
      const harness = await startHarness({ root, settings: { NODE_ENV } });
      try {
        const token = await harness.token();
        expect((await harness.call('/v2/probe/book', { token })).status).toBe(status);
      } finally {
        await harness.close();
      }
    }
  });
});
