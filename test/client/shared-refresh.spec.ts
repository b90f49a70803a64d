import {
  Commonplace,
  memoryStorage,
  TimeoutError,
  webStorage,
  type TokenStorage,
} from '../../clients/typescript/src';
import { StubServer, type Reply } from './stub-server';
import { browserStorage, INVALID, issued, isToken, REJECTED, tokens } from './token-fixtures';
import { installWebLocks } from './web-locks';

/** A refresh that several requests, clients or tabs wait for. */

let stub: StubServer;
let baseUrl: string;
let uninstall: () => void;
beforeEach(async () => {
  uninstall = installWebLocks();
  stub = new StubServer();
  baseUrl = await stub.open();
});
afterEach(() => {
  uninstall();
  stub.close();
});

const SILENT: Reply = { silent: true };
const HASTY = { timeout: 1000, retries: 0 };
const refreshes = (): number => stub.received.filter(isToken).length;

/** A promise that the test fulfils. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Makes the service leave requests without a response. @returns what the first of them passes */
function holdRefresh(): ReturnType<typeof gate> {
  const held = gate();
  stub.reply = () => {
    held.open();
    return SILENT;
  };
  return held;
}

const expired = async (storage: TokenStorage): Promise<TokenStorage> => {
  await storage.set(tokens('old', 0));
  return storage;
};

describe('the lock of a refresh', () => {
  it('makes tabs with one storage refresh once', async () => {
    const open = browserStorage();
    await expired(open());
    stub.reply = () => issued(tokens(String(refreshes())));
    const tabs = [open(), open(), open()].map(
      (storage) => new Commonplace({ baseUrl, clientId: 'app', storage }),
    );
    const current = await Promise.all(tabs.map((tab) => tab.currentTokens()));
    expect(current.map((each) => each?.access_token)).toEqual(Array(3).fill('access-1'));
    expect(refreshes()).toBe(1);
  });

  it('keeps a tab from using a refresh token twice before it sees the new tokens', async () => {
    const open = browserStorage();
    await expired(open());
    const stale = await open().get();
    let reads = 0;
    // A browser shows a tab changes of another tab after a time.
    const late = { ...open(), get: () => ((reads += 1) < 5 ? stale : open().get()) };
    stub.reply = () => (refreshes() === 1 ? issued(tokens('1')) : REJECTED);
    const tab = new Commonplace({ baseUrl, clientId: 'app', storage: open() });
    const lateTab = new Commonplace({ baseUrl, clientId: 'app', storage: late });
    expect(await tab.currentTokens()).toMatchObject({ access_token: 'access-1' });
    expect(await lateTab.currentTokens()).toMatchObject({ access_token: 'access-1' });
    expect(refreshes()).toBe(1);
  });

  it('does not make tabs wait for tokens that a full storage does not store', async () => {
    const open = browserStorage();
    await expired(open());
    const full = {
      ...open(),
      set: () => {
        throw new Error('the quota is exceeded');
      },
    };
    stub.reply = () => (refreshes() === 1 ? issued(tokens('1')) : REJECTED);
    const [tab, other] = [full, open()].map(
      (storage) => new Commonplace({ baseUrl, clientId: 'app', storage, ...HASTY }),
    );
    expect(await tab?.currentTokens()).toMatchObject({ access_token: 'access-1' });
    // The service has ended the grant. A wait for the new tokens would end with an error.
    expect(await other?.currentTokens()).toBeUndefined();
    expect(refreshes()).toBe(2);
  });

  it('is not used for sessionStorage, which each tab has for itself', () => {
    const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
    expect(webStorage(storage).sharedName).toBe('commonplace');
    const sessionStorage = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: storage });
    expect(webStorage(storage).sharedName).toBeUndefined();
    if (sessionStorage) Object.defineProperty(globalThis, 'sessionStorage', sessionStorage);
    else Reflect.deleteProperty(globalThis, 'sessionStorage');
  });

  const storages: [string, () => TokenStorage[]][] = [
    ['storages of one client each', () => [memoryStorage(), memoryStorage()]],
    ['storages with other names', () => ['ann', 'ben'].map((name) => browserStorage()(name))],
  ];
  it.each(storages)('does not let %s wait for each other', async (_, pair) => {
    const both = gate();
    stub.reply = async () => {
      if (refreshes() === 2) both.open();
      await both.passed;
      return issued(tokens('1'));
    };
    const clients = await Promise.all(
      pair().map(async (storage) => {
        await expired(storage);
        return new Commonplace({ baseUrl, clientId: 'app', storage, ...HASTY });
      }),
    );
    const current = await Promise.all(clients.map((api) => api.currentTokens()));
    expect(current.map((each) => each?.access_token)).toEqual(['access-1', 'access-1']);
  });

  it('does not let clients of two services wait for each other', async () => {
    const other = new StubServer();
    const otherUrl = await other.open();
    const held = holdRefresh();
    other.reply = () => issued(tokens('1'));
    const client = async (address: string): Promise<Commonplace> => {
      const storage = await expired(browserStorage()());
      return new Commonplace({ baseUrl: address, clientId: 'app', storage, retries: 0 });
    };
    const holder = (await client(baseUrl)).currentTokens().catch(() => undefined);
    await held.passed;
    const fast = new Commonplace({
      ...{ baseUrl: otherUrl, clientId: 'app', ...HASTY },
      storage: await expired(browserStorage()()),
    });
    expect(await fast.currentTokens()).toMatchObject({ access_token: 'access-1' });
    other.close();
    stub.close();
    await holder;
  });

  it('is waited for at most as long as an attempt; the user stays signed in', async () => {
    const open = browserStorage();
    await expired(open());
    const held = holdRefresh();
    const tab = new Commonplace({ baseUrl, clientId: 'app', storage: open() });
    const holder = tab.currentTokens().catch(() => undefined);
    await held.passed;
    const hasty = new Commonplace({ baseUrl, clientId: 'app', storage: open(), timeout: 20 });
    const waiting = hasty.currentTokens();
    await expect(waiting).rejects.toBeInstanceOf(TimeoutError);
    await expect(waiting).rejects.toThrow('another tab did not release the tokens in 20 ms');
    // A second request for tokens would have used the refresh token twice.
    expect(refreshes()).toBe(1);
    expect(await open().get()).toMatchObject({ refresh_token: 'refresh-old' });
    stub.close();
    await holder;
  });
});

describe('the signal of a request', () => {
  const read = (api: Commonplace, signal?: AbortSignal) =>
    api.get('/v2/note/{id}', { path: { id: '1' }, signal });

  it.each([
    ['expired', 0],
    ['rejected', undefined],
  ])('ends its wait for new tokens in place of %s ones, but not the refresh', async (_, life) => {
    const storage = memoryStorage(tokens('old', life));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    const [started, released] = [gate(), gate()];
    stub.reply = async (request) => {
      if (request.headers.authorization === 'Bearer access-1') return { json: { id: '1' } };
      if (!isToken(request)) return INVALID;
      started.open();
      await released.passed;
      return issued(tokens('1'));
    };
    const controller = new AbortController();
    const aborted = read(api, controller.signal);
    await started.passed;
    const other = read(api);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    released.open();
    expect(await other).toEqual({ id: '1' });
    expect(refreshes()).toBe(1);
    expect(await storage.get()).toMatchObject({ access_token: 'access-1' });
  });

  it('ends its wait for another tab', async () => {
    const open = browserStorage();
    await expired(open());
    const held = holdRefresh();
    const [tab, other] = [open(), open()].map(
      (storage) => new Commonplace({ baseUrl, clientId: 'app', storage }),
    ) as [Commonplace, Commonplace];
    const holder = tab.currentTokens().catch(() => undefined);
    await held.passed;
    const controller = new AbortController();
    const waiting = read(other, controller.signal);
    await new Promise(setImmediate);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(stub.received).toHaveLength(1);
    stub.close();
    await holder;
  });

  it('starts no refresh if it was aborted before', async () => {
    const storage = memoryStorage(tokens('old', 0));
    const api = new Commonplace({ baseUrl, clientId: 'app', storage });
    await expect(read(api, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    // A sign-out waits for a running refresh.
    await api.signOut();
    expect(stub.received.filter(isToken)).toEqual([]);
  });
});
