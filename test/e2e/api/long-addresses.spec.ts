import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { startHarness, type Harness } from '../../harness';

/** Bytes of the parameters in an address: almost as many as the service accepts of all headers. */
const LENGTH = 60_000;
/** Bytes of the headers of a response. The proxies in `deploy/` accept 64 KB, others less. */
const MAX_BYTES = 32_768;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** A route of Express. */
interface Layer {
  readonly route?: { readonly path: string | string[] };
}

/** The paths of all routes, as in their declarations. */
function declaredPaths(): string[] {
  const { router } = harness.app.getHttpAdapter().getInstance();
  const { stack } = router as unknown as { readonly stack: readonly Layer[] };
  return [...new Set(stack.flatMap(({ route }) => route?.path ?? []))];
}

/** Bytes of the headers of the response to a GET. */
async function headerBytes(path: string, token: string | undefined): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = get(harness.origin + path, { headers, maxHeaderSize: 4 * LENGTH });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1') + 2, 0);
}

/** Fills the parameters of a declared path. */
function filled(path: string, character: string): string {
  const parameters = /[:*]\w+/g;
  const count = path.match(parameters)?.length ?? 1;
  const text = character.repeat(Math.floor(LENGTH / count / character.length));
  return path.replace(/[{}]/g, '').replace(parameters, text);
}

it('no route repeats a long path or query in its headers', async () => {
  const paths = declaredPaths();
  expect(paths).toEqual(expect.arrayContaining(['/v2/book/user_tags/:id', '/v2/book/:id']));
  const token = await harness.token();
  const queries = ['return_to=/', 'state=', 'q=', 'redirect_uri=http://a.example/', 'callback='];
  const large: [string, number][] = [];
  for (const path of paths) {
    const addresses = ['1', 'a', '%22'].map((character) => filled(path, character));
    const short = path.replace(/[{}]/g, '').replace(/[:*]\w+/g, '1');
    if (!short.includes('1')) addresses.splice(1);
    addresses.push(...queries.map((query) => `${short}?${query}${'a'.repeat(LENGTH)}`));
    for (const address of addresses) {
      for (const caller of [undefined, token]) {
        const bytes = await headerBytes(address, caller);
        if (bytes > MAX_BYTES) large.push([address.slice(0, 100), bytes]);
      }
    }
  }
  expect(large).toEqual([]);
});
