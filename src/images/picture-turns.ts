import { FairTurns, type FairTurn } from '../api/body/fair-turns';
import { type WaitingTime } from '../api/body/turn';
import { LARGE_DECODER_BYTES } from './decoder-memory';
import { type ImageHeader } from './picture-encoding';

/** A picture of more megapixels, weighted by the time that each takes, counts as large. */
const LARGE_MEGAPIXELS = 25;

/**
 * Milliseconds that a picture takes, about: for each megapixel to decode it, for each megapixel of the
 * large stored size to encode it, and for its files and messages. JPEGs are reduced while they are
 * decoded.
 */
const DECODE_MS = { jpeg: 5, other: 13 };
const ENCODE_MS = { jpeg: 15, other: 80 };
const PICTURE_MS = 10;

/** The largest stored size in megapixels, about. */
const MAX_STORED_MEGAPIXELS = 1.5;

/** The megapixels of a picture, weighted by the time that each takes. */
export const weightedMegapixels = ({ width, height, costFactor = 1 }: ImageHeader): number =>
  (width * height * costFactor) / 1_000_000;

/** Whether a picture may take seconds to decode, or hundreds of megabytes. */
const isLarge = (header: ImageHeader): boolean =>
  weightedMegapixels(header) > LARGE_MEGAPIXELS || (header.decoderBytes ?? 0) > LARGE_DECODER_BYTES;

/** The milliseconds that a picture takes, about. */
export function costOfPicture(header: ImageHeader): number {
  const kind = header.format === 'jpeg' ? 'jpeg' : 'other';
  const stored = Math.min((header.width * header.height) / 1_000_000, MAX_STORED_MEGAPIXELS);
  return PICTURE_MS + weightedMegapixels(header) * DECODE_MS[kind] + stored * ENCODE_MS[kind];
}

/**
 * Limits the requests whose pictures are decoded at once, for memory and processors: two, of which
 * at most one has large pictures and at most one is of the same address. Both together need at most
 * the sum of the limits in decoder-memory.ts.
 */
export class PictureTurns {
  private readonly turns = new FairTurns(2, 1);

  /**
   * Waits for the turn of a request.
   *
   * @param headers headers of its pictures; their costs are those of {@link costOfPicture}
   * @param address limit key of the client's address
   * @throws ApiError 999 with 503 when the client leaves, or the waiting time is over
   */
  acquire(
    headers: readonly ImageHeader[],
    address: string,
    waiting: WaitingTime,
  ): Promise<FairTurn> {
    const cost = headers.reduce((sum, header) => sum + costOfPicture(header), 0);
    return this.turns.acquire({ address, cost, isLarge: headers.some(isLarge) }, waiting);
  }
}
