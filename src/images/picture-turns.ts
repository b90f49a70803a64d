import { type WaitingTime } from '../api/body/turn';
import { LARGE_DECODER_BYTES } from './decoder-memory';
import { type ImageHeader } from './picture-encoding';

/** A picture of more megapixels, weighted by the time that each takes, counts as large. */
const LARGE_MEGAPIXELS = 25;

/** Requests whose pictures are decoded at once. */
const CAPACITY = 2;

/** Cost of a picture apart from its pixels, in megapixels: 10 ms to read, encode and write files. */
const PICTURE_COST = 0.5;

/** The megapixels of a picture, weighted by the time that each takes. */
export const weightedMegapixels = ({ width, height, costFactor = 1 }: ImageHeader): number =>
  (width * height * costFactor) / 1_000_000;

/** Whether a picture may take seconds to decode, or hundreds of megabytes. */
const isLarge = (header: ImageHeader): boolean =>
  weightedMegapixels(header) > LARGE_MEGAPIXELS || (header.decoderBytes ?? 0) > LARGE_DECODER_BYTES;

const costOf = (header: ImageHeader): number => weightedMegapixels(header) + PICTURE_COST;

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
  /** The cost of its pictures whose decoding has begun. */
  begun: number;
}

interface Waiting extends Entry {
  readonly start: () => void;
}

/** The turn of a request. */
export interface PictureTurn {
  /**
   * Call it before each picture. A waiting request that is to be served first gets the turn, and this
   * one waits again.
   * @throws ApiError 999 with 503 when the client leaves, or the waiting time is over
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
 * Requests are served in the order in which they would end if the addresses shared the processors
 * equally (self-clocked fair queuing). A small picture therefore waits for few pictures of others,
 * regardless of the number of their requests and addresses. Between two pictures, a request gives its
 * turn to a waiting request that would end earlier. Equal requests do not interrupt each other:
 * otherwise all would end at about the same time.
 */
export class PictureTurns {
  private readonly running = new Set<Running>();
  private waiting: Waiting[] = [];
  /** The virtual time, in costs of pictures. */
  private time = 0;

  /**
   * Waits for the turn of a request.
   *
   * @param headers headers of its pictures
   * @param address limit key of the client's address
   * @throws ApiError 999 with 503 when the client leaves, or the waiting time is over
   */
  async acquire(
    headers: readonly ImageHeader[],
    address: string,
    waiting: WaitingTime,
  ): Promise<PictureTurn> {
    const cost = headers.reduce((sum, header) => sum + costOf(header), 0);
    const others = [...this.running, ...this.waiting].filter((one) => one.address === address);
    const begin = Math.max(this.time, ...others.map((one) => one.end));
    const large = headers.some(isLarge);
    const entry = { address, isLarge: large, begin, end: begin + cost, begun: 0 };
    await waiting.wait((gone) => this.enter(entry, gone));
    return {
      next: async (header) => {
        if (this.findSuccessor(entry)) {
          this.leave(entry);
          await waiting.wait((gone) => this.enter(entry, gone, true));
        }
        entry.begun += costOf(header);
        this.advance();
      },
      end: () => {
        this.leave(entry);
      },
    };
  }

  /** Sets the virtual time to that of the running request with the least progress. */
  private advance(): void {
    const times = [...this.running].map(({ begin, begun }) => begin + begun);
    if (times.length > 0) this.time = Math.max(this.time, Math.min(...times));
  }

  /** @param isResumed whether it comes before others with the same end */
  private enter(entry: Running, gone: AbortSignal, isResumed = false): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(gone.reason as Error);
      };
      const start = (): void => {
        gone.removeEventListener('abort', giveUp);
        this.running.add(entry);
        this.advance();
        resolve();
      };
      const waiting = { ...entry, start };
      if (gone.aborted) {
        reject(gone.reason as Error);
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
      const next = this.findWaitingBeside([...this.running]);
      if (!next) return;
      this.waiting = this.waiting.filter((one) => one !== next);
      next.start();
    }
  }

  /** A waiting request that is to be served before a running one. */
  private findSuccessor(entry: Running): Waiting | undefined {
    const next = this.findWaitingBeside([...this.running].filter((one) => one !== entry));
    return next && next.end < entry.end ? next : undefined;
  }

  /** The first waiting request that may run beside others. */
  private findWaitingBeside(others: readonly Entry[]): Waiting | undefined {
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
