import { Controller, Get } from '@nestjs/common';
import { ALL_SCOPES, SCOPES, type Scope } from '../../../src/api/access/access';
import { RespondsJson, RequireScope, Tiers } from '../../../src/api/routing/route';
import { RouteTable } from '../../../src/api/routing/route-table';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness, type TokenOptions } from '../../harness';
import { AccessController } from '../api/probe.access';
import { probing } from '../api/probe.module';
import { sha256 } from './flows';
import { CALLERS, KINDS, type CallerName } from './matrix.cells';
import { PROBES, SERVICE, type Row } from './matrix.routes';

@Controller('v2/probe/movie')
class MovieController {
  @Get('basic')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @RespondsJson({})
  basic() {
    return {};
  }

  @Get('advance')
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @RespondsJson({})
  advance() {
    return {};
  }

  @Get('premium')
  @RequireScope('movie_premium_r')
  @Tiers('premium')
  @RespondsJson({})
  premium() {
    return {};
  }
}

/** A key or a token, as it goes with a request. */
interface Given {
  readonly apikey?: string;
  readonly token?: string;
}

/** Makes what callers of a scope come with, once for each scope. */
class Purse {
  private readonly known = new Map<Scope, Promise<Readonly<Record<CallerName, Given>>>>();

  constructor(private readonly harness: Harness) {}

  of(scope: Scope): Promise<Readonly<Record<CallerName, Given>>> {
    const made = this.known.get(scope) ?? this.make(scope);
    this.known.set(scope, made);
    return made;
  }

  private run(sql: string, values: unknown[]): Promise<unknown> {
    return this.harness.source.query(sql, values);
  }

  /** A token, and the application that it is of. */
  private async token(options: TokenOptions): Promise<{ token: string; clientId: string }> {
    const token = await this.harness.token({ approved: ALL_SCOPES, ...options });
    const [{ client_id: clientId }] = await this.harness.source.query(
      `SELECT client_id FROM applications a JOIN access_tokens t ON t.application_id = a.id
       WHERE t.hash = $1`,
      [sha256(token)],
    );
    return { token, clientId };
  }

  private async user(): Promise<number> {
    const [{ id }] = await this.harness.source.query(
      `INSERT INTO users (uid, name) VALUES ('u' || gen_random_uuid(), 'U') RETURNING id::int`,
    );
    return id;
  }

  private async make(scope: Scope): Promise<Readonly<Record<CallerName, Given>>> {
    const userId = await this.user();
    if (scope === 'admin') {
      await this.run(`UPDATE users SET role = 'administrator' WHERE id = $1`, [userId]);
    }
    const scopes = [scope];
    const others = SCOPES.filter((one) => one !== scope);
    // Tiers are a set: any movie scope may be one (D14).
    const without = others.filter((one) => !scope.startsWith('movie') || !one.startsWith('movie'));
    const good = await this.token({ userId, scopes });
    const revoked = await this.token({ userId, scopes });
    const suspended = await this.token({ userId, scopes });
    const ofBlockedApplication = await this.token({ userId, scopes });
    const blockedUser = await this.user();
    const ofBlockedUser = await this.token({ userId: blockedUser, scopes });
    const { app } = this.harness;
    await app.get(ApplicationsService, { strict: false }).revoke(revoked.token);
    const decider = { actor: 'administrator' };
    const approvals = app.get(ApprovalsService, { strict: false });
    await approvals.suspend(suspended.clientId, { scopes }, decider);
    const notice = { reason: 'It copies', contact: 'help@service.example' };
    await approvals.block(ofBlockedApplication.clientId, { ...decider, ...notice });
    await this.run('UPDATE users SET blocked_at = now() WHERE id = $1', [blockedUser]);
    return {
      nobody: {},
      'unknown key': { apikey: 'nobody' },
      'blocked key': { apikey: ofBlockedApplication.clientId },
      'good key': { apikey: good.clientId },
      'unknown token': { token: 'cpat_unknown' },
      'expired token': await this.token({ userId, scopes, ttl: -1 }),
      'revoked token': { token: revoked.token },
      'token of a blocked user': { token: ofBlockedUser.token },
      'token of a blocked application': { token: ofBlockedApplication.token },
      'token without the scope': await this.token({ userId, scopes: without }),
      'token with the scope': { token: good.token },
      'token of a member with the scope': await this.token({ userId: await this.user(), scopes }),
      'token of the application itself': await this.token({ scopes }),
      'token, never approved': await this.token({ userId, scopes, approved: others }),
      'token, approval suspended': { token: suspended.token },
    };
  }
}

/** Status and code of a route's response to a caller. */
async function call(harness: Harness, row: Row, { apikey, token }: Given): Promise<unknown> {
  const [method = '', path = ''] = row.route.split(' ');
  const key = apikey === undefined ? [] : [`apikey=${apikey}`];
  const query = [...(row.query === undefined ? [] : [row.query]), ...key].join('&');
  const address = `${row.address ?? path}${query && '?'}${query}`;
  const { status, headers, text } = await harness.call(address, { method, token });
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const code = isJson ? (JSON.parse(text) as { code?: number }).code : undefined;
  return code === undefined ? [status] : [status, code];
}

const SETS = [
  ['the service', SERVICE, undefined],
  ['probes', PROBES, probing(AccessController, MovieController)],
] as const;

describe.each(SETS)('every caller at every route of %s', (_, rows, root) => {
  let harness: Harness;
  let purse: Purse;
  beforeAll(async () => {
    harness = await startHarness({ root });
    purse = new Purse(harness);
  });
  afterAll(() => harness.close());

  it('has a row in the matrix, and no row is without a route', () => {
    const { routes } = harness.app.get(RouteTable, { strict: false });
    // The authorization server and the limits run with the probes, too.
    const beside = /^\/(service\/auth2|\.well-known|v2\/rate_limit)/;
    const own = routes.filter(({ path }) => !root || !beside.test(path));
    const names = own.map(({ method, path }) => `${method} ${path}`);
    expect(names.sort()).toEqual(rows.map(({ route }) => route).sort());
  });

  it('requires the scope of the matrix', () => {
    const { routes } = harness.app.get(RouteTable, { strict: false });
    const scopes = rows.map(({ route, scope }) => [route, scope ?? null]);
    const scopesByRoute = new Map(
      routes.map(({ method, path, scope }) => [`${method} ${path}`, scope]),
    );
    expect(rows.map(({ route }) => [route, scopesByRoute.get(route)])).toEqual(scopes);
  });

  it.each(rows)('$route ($kind)', async (row) => {
    const credentials = await purse.of(row.scope ?? 'book_basic_r');
    const responses: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const caller of CALLERS) {
      const cell = KINDS[row.kind][caller];
      expected[caller] = cell === 'in' ? row.inside : cell;
      responses[caller] = await call(harness, row, credentials[caller]);
    }
    expect(responses).toEqual(expected);
  });
});
