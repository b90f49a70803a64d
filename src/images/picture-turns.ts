import { WAIT_MS } from '../api/body/turn';
import { unavailable } from '../api/errors/error-codes';
import { type RequestContext } from '../api/http/request-context';
import { LARGE_DECODER_BYTES } from './decoder-memory';
import { type ImageHeader } from './picture-encoding';

/** A picture of more megapixels, weighted by the time that each takes, counts as large. */
const LARGE_MEGAPIXELS = 25;

/** Requests whose pictures are decoded at once. */
const CAPACITY = 2;

/** What each picture costs in addition to its pixels, in megapixels. */
const PICTURE_COST = 0.5;

/** The megapixels of a picture, weighted by the time that each takes. */
export const weightedMegapixels = ({ width, height, costFactor = 1 }: ImageHeader): number =>
  (width * height * costFactor) / 1_000_000;

/** Whether a picture may take seconds to decode, or hundreds of megabytes. */
const isLarge = (header: ImageHeader): boolean =>
  weightedMegapixels(header) > LARGE_MEGAPIXELS || (header.decoderBytes ?? 0) > LARGE_DECODER_BYTES;

const costOf = (header: ImageHeader): number => weightedMegapixels(header) + PICTURE_COST;

type Requester = Pick<RequestContext, 'addressKey' | 'presence'>;

/** A request with pictures. */
interface Entry {
  readonly address: string;
  readonly isLarge: boolean;
  /** The virtual time at which it would begin if the addresses shared the processors equally. */
  readonly begin: number;
  /** The same for its end. Requests that would end earlier are served first. */
  readonly end: number;
}

interface Running extends Entry {
  /** The cost of its pictures that were decoded. */
  decoded: number;
}

interface Waiting extends Running {
  readonly start: () => void;
}

/** The turn of a request. */
export interface PictureTurn {
  /**
   * Call it before each picture. Requests that are to be served first get the turn meanwhile.
   * @throws ApiError 999 with 503 when the client leaves, or after the time limit
   */
  next(header: ImageHeader): Promise<void>;
  /** Ends the turn. */
  end(): void;
}

/**
 * Limits the requests whose pictures are decoded at once, for memory and processors: two, of which
 * at most one has large pictures and at most one is of the same address. Both together need at most
 * the sum of the limits in decoder-memory.ts.
 *
 * A request is served before all that would end later if the addresses shared the processors equally
 * (start-time fair queuing). Therefore a small picture waits for few pictures of others,
 * however many requests with many or large pictures there are, and from however many addresses. A
 * request keeps its turn as long as no such request waits: if equal requests took turns picture by
 * picture, all would end at about the same time.
 */
export class PictureTurns {
  private readonly running = new Set<Running>();
  private waiting: Waiting[] = [];
  /** The virtual time, in costs of pictures. */
  private time = 0;

  /** @param waitMs maximum milliseconds that a request waits; proxies wait longer */
  constructor(private readonly waitMs = WAIT_MS) {}

  /**
   * Waits for the turn of a request.
   *
   * @param headers headers of its pictures
   * @param request undefined for background work, which counts as one address
   * @throws ApiError 999 with 503 when the client leaves, or after the time limit
   */
  async acquire(headers: readonly ImageHeader[], request?: Requester): Promise<PictureTurn> {
    const address = request?.addressKey ?? '';
    const cost = headers.reduce((sum, header) => sum + costOf(header), 0);
    const others = [...this.running, ...this.waiting].filter((one) => one.address === address);
    const begin = Math.max(this.time, ...others.map((one) => one.end));
    const large = headers.some(isLarge);
    const entry = { address, isLarge: large, begin, end: begin + cost, decoded: 0 };
    await this.enter(entry, request);
    return {
      next: async (header) => {
        if (this.successorOf(entry)) {
          this.leave(entry);
          await this.enter(entry, request, true);
        }
        entry.decoded += costOf(header);
        this.advance();
      },
      end: () => {
        this.leave(entry);
      },
    };
  }

  /** The time is that of the running request which has got least. */
  private advance(): void {
    const times = [...this.running].map(({ begin, decoded }) => begin + decoded);
    if (times.length > 0) this.time = Math.max(this.time, Math.min(...times));
  }

  /** @param isResumed whether it comes before others with the same end */
  private enter(entry: Running, request: Requester | undefined, isResumed = false): Promise<void> {
    const gone = request
      ? AbortSignal.any([request.presence.signal(), AbortSignal.timeout(this.waitMs)])
      : new AbortController().signal;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(unavailable(gone.reason));
      };
      const start = (): void => {
        gone.removeEventListener('abort', giveUp);
        this.running.add(entry);
        this.advance();
        resolve();
      };
      const waiting = { ...entry, start };
      if (gone.aborted) {
        reject(unavailable(gone.reason));
        return;
      }
      gone.addEventListener('abort', giveUp, { once: true });
      if (isResumed) this.waiting.unshift(waiting);
      else this.waiting.push(waiting);
      this.startNext();
    });
  }

  private leave(entry: Running): void {
    this.running.delete(entry);
    this.startNext();
  }

  private startNext(): void {
    for (;;) {
      const next = this.nextBeside([...this.running]);
      if (!next) return;
      this.waiting = this.waiting.filter((one) => one !== next);
      next.start();
    }
  }

  /** A waiting request that is to be served before a running one. */
  private successorOf(entry: Running): Waiting | undefined {
    const next = this.nextBeside([...this.running].filter((one) => one !== entry));
    return next && next.end < entry.end ? next : undefined;
  }

  /** The first waiting request that may run beside others. */
  private nextBeside(others: readonly Entry[]): Waiting | undefined {
    if (others.length >= CAPACITY) return undefined;
    const large = others.some((one) => one.isLarge);
    let first: Waiting | undefined;
    for (const one of this.waiting) {
      if (first && first.end <= one.end) continue;
      if (large && one.isLarge) continue;
      if (!others.some(({ address }) => address === one.address)) first = one;
    }
    return first;
  }
}
