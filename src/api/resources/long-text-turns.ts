import { type RequestContext } from '../http/request-context';
import { type Route } from '../routing/route-table';
import { longTextLists } from './list-queues';
import { type Page } from './page';

/** Bytes of texts that lists read without a turn. */
const SMALL_BYTES = 500_000;

/** Whether responses of a route have long texts. */
export const hasLongTexts = ({ response }: Route): boolean =>
  response.kind === 'list' && response.longTexts;

/**
 * Reads and writes a list whose route {@link hasLongTexts}. Most lists have little text and wait for
 * nobody. The others are read again, in their turn.
 *
 * @throws ApiError 999 with 503 when too many requests wait, or the client leaves (D5)
 */
export async function respondWithLongTexts<T>(
  context: RequestContext,
  read: () => unknown,
  write: (result: unknown) => T | Promise<T>,
): Promise<T> {
  context.maxTextBytes = SMALL_BYTES;
  const written = await writeIfComplete(read, write);
  if (written) return written.response;
  const end = await longTextLists.acquire(context);
  try {
    context.maxTextBytes = undefined;
    context.hasLongTextTurn = true;
    return await write(await read());
  } finally {
    end();
  }
}

/** A function of its own, so that a list that waits for its turn holds no rows. */
async function writeIfComplete<T>(
  read: () => unknown,
  write: (result: unknown) => T | Promise<T>,
): Promise<{ readonly response: T } | undefined> {
  const result = await read();
  return (result as Page<unknown>).isCut === true ? undefined : { response: await write(result) };
}
