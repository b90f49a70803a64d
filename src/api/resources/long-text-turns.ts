import { type RequestContext } from '../http/request-context';
import { type Route } from '../routing/route-table';
import { LargeResponseQueue } from './large-response-queue';

/**
 * Lists of long texts that are read and written at once. The rows of each may have 8 MB, and their
 * strings as much; their size is unknown before they are read. Requests that wait have no rows yet.
 */
const turns = new LargeResponseQueue({ concurrent: 4, waiting: 100 });

/** Whether responses of a route have long texts. */
export const hasLongTexts = ({ response }: Route): boolean =>
  response.kind === 'list' && response.longTexts;

/**
 * Waits for the turn of a request whose route {@link hasLongTexts}.
 *
 * @returns a function that ends the turn, when the response is written
 * @throws ApiError 999 with 503 when too many requests wait, or the client leaves (D5)
 */
export const takeLongTextTurn = (context: RequestContext): Promise<() => void> =>
  turns.acquire(context);
