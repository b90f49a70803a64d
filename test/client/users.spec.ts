import { AuthenticationError, Commonplace, memoryStorage } from '../../clients/typescript/src';
import { StubServer } from './stub-server';
import { browserStorage, INVALID, issued, isToken, tokens } from './token-fixtures';

/** One request has tokens of one user, also when another user signs in meanwhile. */

let stub: StubServer;
let baseUrl: string;
beforeEach(async () => {
  stub = new StubServer();
  baseUrl = await stub.open();
});
afterEach(() => stub.close());

const TOKENS_OF_B = tokens('b', undefined, '2');
const NOTE = { body: { title: 'A', content: 'B' } };
const REDIRECT = 'https://app.example/';
const sentTokens = (path: string): unknown[] =>
  stub.received
    .filter((request) => request.path === path)
    .map((sent) => sent.headers.authorization);

it.each([429, 503])('a write that waits after %i is not sent as another user', async (status) => {
  const open = browserStorage();
  await open().set(tokens('a'));
  const tab = new Commonplace({ baseUrl, clientId: 'app', storage: open() });
  const otherTab = new Commonplace({ baseUrl, clientId: 'app', storage: open() });
  const pending = await otherTab.prepareSignIn(REDIRECT);
  const changeUser = async (): Promise<void> => {
    await otherTab.signOut();
    await otherTab.finishSignIn(`${REDIRECT}?code=c&state=${pending.state}`, pending);
  };
  stub.reply = async (request, count) => {
    if (isToken(request)) return issued(TOKENS_OF_B);
    if (request.path !== '/v2/notes') return {};
    if (count > 1) return INVALID;
    await changeUser();
    return { status, headers: { 'Retry-After': '0' } };
  };
  await expect(tab.post('/v2/notes', NOTE)).rejects.toBeInstanceOf(AuthenticationError);
  expect(sentTokens('/v2/notes')).toEqual(['Bearer access-a', 'Bearer access-a']);
  // The other user stays signed in.
  expect(await tab.currentTokens()).toMatchObject({ access_token: 'access-b', user_id: '2' });
});

it('a write that waits for a refresh is not sent as another user', async () => {
  const storage = memoryStorage(tokens('a', 0));
  const api = new Commonplace({ baseUrl, clientId: 'app', storage });
  stub.reply = async (request) => {
    if (!isToken(request)) return INVALID;
    await storage.set(TOKENS_OF_B);
    return issued(tokens('a2'));
  };
  await expect(api.post('/v2/notes', NOTE)).rejects.toBeInstanceOf(AuthenticationError);
  expect(sentTokens('/v2/notes')).toEqual([undefined]);
  expect(await storage.get()).toBe(TOKENS_OF_B);
});

it('a rejected write does not share the refresh of another user', async () => {
  const storage = memoryStorage(tokens('a'));
  const answers = new Map<string, ((response: Response) => void)[]>();
  const sent: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    sent.push(`${pathname} ${request.headers.get('Authorization')}`);
    return new Promise((resolve) => {
      answers.set(pathname, [...(answers.get(pathname) ?? []), resolve]);
    });
  };
  const answer = async (path: string, response: Response): Promise<void> => {
    answers.get(path)?.shift()?.(response);
    await new Promise(setImmediate);
  };
  const api = new Commonplace({ baseUrl, clientId: 'app', storage, fetch });
  const write = api.post('/v2/notes', NOTE).catch((error: unknown) => error);
  await new Promise(setImmediate);
  await storage.set(tokens('b', 0, '2'));
  const read = api.get('/v2/note/{id}', { path: { id: '1' } });
  await new Promise(setImmediate);
  await answer('/v2/notes', Response.json({ code: 103 }, { status: 401 }));
  await answer(
    '/service/auth2/token',
    Response.json({ ...tokens('b2', 0, '2'), expires_in: 3600 }),
  );
  await answer('/v2/note/1', Response.json({ id: '1' }));
  await answer('/v2/notes', Response.json({ id: '7' }));
  expect(await write).toBeInstanceOf(AuthenticationError);
  expect(await read).toEqual({ id: '1' });
  expect(sent).toEqual([
    '/v2/notes Bearer access-a',
    '/service/auth2/token null',
    '/v2/note/1 Bearer access-b2',
  ]);
});

it('a token of an application is not replaced by one of a user', async () => {
  const { user_id: _, refresh_token: __, ...own } = tokens('app');
  const storage = memoryStorage(own);
  const api = new Commonplace({ baseUrl, clientId: 'app', clientSecret: 's', storage });
  stub.reply = async () => {
    await storage.set(TOKENS_OF_B);
    return INVALID;
  };
  await expect(api.post('/v2/notes', NOTE)).rejects.toBeInstanceOf(AuthenticationError);
  expect(sentTokens('/v2/notes')).toEqual(['Bearer access-app']);
});
