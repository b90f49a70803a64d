import { once } from 'node:events';
import {
  CHUNKED,
  GET,
  INCOMPLETE,
  leave,
  send,
  TRAILER,
  useMemoryServer,
} from '../../../test/memory-server';

const site = useMemoryServer();

describe('copies of heads in the parser', () => {
  /** A request with a large field at a place. */
  const large = (place: number): string =>
    GET.replace('Host', `${'A: b\r\n'.repeat(place)}X: ${'x'.repeat(15_000)}\r\nHost`);

  it('count after the response', async () => {
    expect(await site.isClosedAfter(large(0), large(1), large(2), large(3), GET)).toBe(true);
  });

  it('count once for the same field', async () => {
    expect(await site.isClosedAfter(large(1), large(1), large(1))).toBe(false);
  });

  it.each([
    ['a complete head', large(0)],
    ['an incomplete head', INCOMPLETE],
    ['incomplete trailers', `${CHUNKED}${TRAILER}`],
  ])('are freed with the connection, whose parser is not used again: %s', async (_, text) => {
    const parserAfter = async (sent: string): Promise<unknown> => {
      const one = await site.open();
      await send(one, sent);
      const { parser } = one.socket as unknown as { parser: unknown };
      await leave(one);
      return parser;
    };
    const first = await parserAfter(text);
    expect(first).toBeDefined();
    expect(await parserAfter(GET)).not.toBe(first);
  });

  it('beyond 128 KB end a connection with its response', async () => {
    const one = await site.open();
    for (const place of Array(9).keys()) await send(one, large(place));
    const ended = once(one.client, 'end');
    one.client.resume();
    await ended;
    expect(site.handled).toBe(9);
    await leave(one);
  });
});
