import { AddressSemaphore } from '../api/body/address-semaphore';
import { WAIT_MS } from '../api/body/turn';
import { unavailable } from '../api/errors/error-codes';
import { type RequestContext } from '../api/http/request-context';
import { LARGE_DECODER_BYTES } from './decoder-memory';
import { type ImageHeader } from './picture-encoding';

/** A picture of more megapixels, weighted by the time that each takes, counts as large. */
const LARGE_MEGAPIXELS = 25;

/** The megapixels of a picture, weighted by the time that each takes. */
export const weightedMegapixels = ({ width, height, costFactor = 1 }: ImageHeader): number =>
  (width * height * costFactor) / 1_000_000;

/** Whether a picture may take seconds to decode, or hundreds of megabytes. */
const isLarge = (header: ImageHeader): boolean =>
  weightedMegapixels(header) > LARGE_MEGAPIXELS || (header.decoderBytes ?? 0) > LARGE_DECODER_BYTES;

type Requester = Pick<RequestContext, 'addressKey' | 'presence'>;

/**
 * Limits the requests whose pictures are decoded at once, for memory and processors: two, of which
 * at most one has large pictures and at most one is of the same address. Pictures of one address,
 * which may take seconds each, therefore leave a turn to others. Both together need at most the sum
 * of the limits in decoder-memory.ts. A turn is for all pictures of a request: if requests took
 * turns picture by picture, all would end at about the same time, and keep their upload slots until
 * then.
 */
export class PictureTurns {
  private readonly all = new AddressSemaphore(2);
  /** Entered before {@link all}: a request that waits for large pictures must not hold a turn. */
  private readonly large = new AddressSemaphore(1);

  /** @param waitMs maximum milliseconds that a request waits; proxies wait longer */
  constructor(private readonly waitMs = WAIT_MS) {}

  /**
   * Waits for the turn of a request.
   *
   * @param headers headers of its pictures
   * @param request undefined for background work, which counts as one address
   * @returns a function that ends the turn
   * @throws ApiError 999 with 503 when the client leaves, or after the time limit
   */
  async acquire(headers: readonly ImageHeader[], request?: Requester): Promise<() => void> {
    const address = request?.addressKey ?? '';
    const gone = request
      ? AbortSignal.any([request.presence.signal(), AbortSignal.timeout(this.waitMs)])
      : new AbortController().signal;
    let endLarge: (() => void) | undefined;
    try {
      if (headers.some(isLarge)) endLarge = await this.large.acquire(address, gone);
      const end = await this.all.acquire(address, gone);
      return () => {
        end();
        endLarge?.();
      };
    } catch (error) {
      endLarge?.();
      throw unavailable(error);
    }
  }
}
