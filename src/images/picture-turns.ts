import { AddressSemaphore } from '../api/body/address-semaphore';
import { unavailable } from '../api/errors/error-codes';
import { type RequestContext } from '../api/http/request-context';
import { type ImageHeader } from './picture-encoding';

/** A picture of more megapixels, weighted by the time that each takes, counts as large. */
const LARGE_MEGAPIXELS = 25;

/** Whether a picture may take seconds to decode, or hundreds of megabytes. */
const isLarge = ({ width, height, costFactor = 1 }: ImageHeader): boolean =>
  width * height * costFactor > LARGE_MEGAPIXELS * 1_000_000;

type Requester = Pick<RequestContext, 'addressKey' | 'presence'>;

/**
 * Limits the pictures that are decoded at once, for memory and processors: two, of which at most
 * one is large and at most one is of the same address. Pictures of one address, which may take
 * seconds each, therefore leave a turn to others.
 */
export class PictureTurns {
  private readonly all = new AddressSemaphore(2);
  /** Entered before {@link all}: a large picture that waits for another must not hold a turn. */
  private readonly large = new AddressSemaphore(1);

  /**
   * Waits for the turn of a picture.
   *
   * @param request undefined for background work, which counts as one address
   * @returns a function that ends the turn
   * @throws ApiError 999 with 503 when the client leaves
   */
  async acquire(header: ImageHeader, request?: Requester): Promise<() => void> {
    const address = request?.addressKey ?? '';
    const gone = request?.presence.signal() ?? new AbortController().signal;
    let endLarge: (() => void) | undefined;
    try {
      if (isLarge(header)) endLarge = await this.large.acquire(address, gone);
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
