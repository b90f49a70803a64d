import { AsyncLocalStorage } from 'node:async_hooks';
import { DnsLookups, type Lookup } from './dns-lookups';

/** Lookups that wait for a response. */
let asked: { readonly name: string; readonly respond: Parameters<Lookup>[2] }[];
let lookups: DnsLookups;
beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  lookups = new DnsLookups((name, _options, respond) => {
    asked.push({ name, respond });
  });
});
afterEach(() => jest.useRealTimers());

/** The address that a lookup returns, or the code of its error. */
const find = (name: string, options = {}): Promise<unknown> =>
  new Promise((resolve) => {
    lookups.lookUp(name, options, (error, address) => {
      resolve(error?.code ?? address);
    });
  });

const fault = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** Looks a name up successfully. */
async function cacheAddress(name: string, address: string): Promise<void> {
  const found = find(name);
  asked.pop()?.respond(null, address, 4);
  expect(await found).toBe(address);
}

it('looks a name up once at a time, for each set of options', async () => {
  const found = [find('db'), find('db'), find('redis'), find('db', { all: true })];
  expect(asked.map(({ name }) => name)).toEqual(['db', 'redis', 'db']);
  asked.forEach(({ name, respond }) => {
    respond(null, `address of ${name}`);
  });
  expect(await Promise.all(found)).toEqual(
    ['db', 'db', 'redis', 'db'].map((name) => `address of ${name}`),
  );
  void find('db');
  expect(asked).toHaveLength(4);
});

it('returns the last addresses after 0.3 seconds without a response', async () => {
  await cacheAddress('db', '10.0.0.1');
  const found = find('db');
  const unknown = find('redis');
  await jest.advanceTimersByTimeAsync(300);
  expect(await found).toBe('10.0.0.1');
  expect(await Promise.race([unknown, Promise.resolve('none')])).toBe('none');
  // It is still looked up, once.
  const again = find('db');
  expect(asked.map(({ name }) => name)).toEqual(['db', 'redis']);
  asked[0]?.respond(null, '10.0.0.2');
  expect(await again).toBe('10.0.0.2');
});

it('returns the last addresses when name servers do not respond, but not when they deny a name', async () => {
  await cacheAddress('db', '10.0.0.1');
  const unanswered = find('db');
  asked.pop()?.respond(fault('EAI_AGAIN'), '');
  expect(await unanswered).toBe('10.0.0.1');
  const denied = find('db');
  asked.pop()?.respond(fault('ENOTFOUND'), '');
  expect(await denied).toBe('ENOTFOUND');
});

it('calls each caller in its own context', async () => {
  const store = new AsyncLocalStorage<string>();
  const seen = ['one', 'two'].map(
    (context) =>
      new Promise((resolve) => {
        store.run(context, () => {
          lookups.lookUp('db', {}, () => {
            resolve(store.getStore());
          });
        });
      }),
  );
  asked[0]?.respond(null, '10.0.0.1');
  expect(await Promise.all(seen)).toEqual(['one', 'two']);
});
