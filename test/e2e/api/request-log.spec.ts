import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { serveOn, type Served } from './serve-on';

describe('the request log', () => {
  let database: TestDatabase;
  let served: Served;
  let token: string;
  let clientId: string;
  let userId: number;
  beforeAll(async () => {
    database = await openTestDatabase();
    served = await serveOn(database.source);
    const applications = served.app.get(ApplicationsService, { strict: false });
    ({ id: userId } = await new Factories(database.database).aUser());
    ({ clientId } = await applications.create({ name: 'logged' }));
    token = await applications.issue({ clientId, userId, scopes: ['book_basic_r'], ttl: 60 });
  });
  afterAll(async () => {
    await served.close();
    await database.close();
  });

  const lineOf = async (path: string, init?: RequestInit) => {
    const response = await served.call(path, init);
    await response.text();
    return served.log.requestLine(response.headers.get('x-request-id') ?? '');
  };

  it('has the request id, method, route, status, milliseconds, application and user', async () => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'my-request-1' };
    expect(await lineOf('/v2/book/4711', { headers })).toMatchObject({
      request: 'my-request-1',
      method: 'GET',
      route: '/v2/book/:id',
      status: 404,
      code: 6000,
      ms: expect.any(Number),
      application: clientId,
      user: userId,
    });
  });

  it('has no application and user for anonymous callers', async () => {
    const line = await lineOf('/docs');
    expect(line).toMatchObject({ route: '/docs', status: 200 });
    expect(line).not.toHaveProperty('application');
    expect(line).not.toHaveProperty('user');
    expect(line).not.toHaveProperty('code');
  });

  it('has a line for requests without a route', async () => {
    expect(await lineOf('/v2/nowhere')).toMatchObject({ status: 404, code: 1001 });
    expect(await lineOf('/v2/book/1', { method: 'PUT' })).toMatchObject({ status: 400 });
    expect(await lineOf('/pictures/sample/default/book-s.jpg')).toMatchObject({ status: 200 });
  });

  it('never contains a token, a key, a query or a body', async () => {
    const authorization = `Bearer ${token}`;
    const paths = [
      `/v2/book/search?q=unspeakable&apikey=${clientId}&access_token=${token}`,
      `/v2/book/1?callback=unspeakable&access_token=${token}`,
      '/v2/nowhere?unspeakable=1',
      '/v2/book/user/unspeakable%ff/tags?unspeakable=1',
    ];
    for (const path of paths) await lineOf(path, { headers: { authorization } });
    await lineOf('/v2/book/1', { headers: { authorization: 'Bearer unspeakable' } });
    await lineOf('/v2/book/1', {
      method: 'POST',
      body: 'unspeakable=1',
      headers: { authorization },
    });
    await lineOf('/v2/book/1', {
      headers: { cookie: 'unspeakable', referer: 'http://unspeakable/' },
    });
    expect(served.log.text).not.toContain('unspeakable');
    expect(served.log.text).not.toContain(token);
    expect(served.log.text).not.toMatch(/bearer/i);
  });
});
