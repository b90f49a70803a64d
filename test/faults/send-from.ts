import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** The address that sends a request, its path, and the parameters of a POST or an access token. */
export type SentFrom = readonly [
  localAddress: string,
  path: string,
  options?: { readonly form?: URLSearchParams; readonly token?: string },
];

/** Sends a request from an address. @returns the status */
export async function sendFrom(
  origin: string,
  ...[localAddress, path, { form, token } = {}]: SentFrom
): Promise<number> {
  const sent = request(origin + path, {
    method: form ? 'POST' : 'GET',
    headers: {
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    localAddress,
    agent: false,
  }).end(form?.toString());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}
