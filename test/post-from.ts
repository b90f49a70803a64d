import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** Where a request comes from, and what it carries besides its form. */
export interface Sender {
  /** Address of the client, of 127.0.0.0/8. */
  readonly from: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a form on a connection of its own. @returns the status */
export async function postFrom(
  url: string,
  form: FormData,
  { from, headers }: Sender,
): Promise<number> {
  const message = new Response(form);
  const body = Buffer.from(await message.arrayBuffer());
  const sent = request(url, {
    method: 'POST',
    agent: false,
    localAddress: from,
    headers: {
      ...headers,
      'content-type': message.headers.get('content-type') ?? '',
      'content-length': body.length,
    },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}
