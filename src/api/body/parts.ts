import { boundaryOf } from './body-checks';

/**
 * Counts the parts of a multipart body as it comes in, by what stands before each (RFC 2046, section
 * 5.1.1). The parser passes over a part whose headers it cannot read, and does not tell.
 */
export class PartCounter {
  count = 0;
  private readonly delimiter: Buffer | undefined;
  /** What may be the beginning of a delimiter, or of what follows it. */
  private rest: Buffer = Buffer.from('\r\n');
  private ended = false;

  /** @throws ApiError 999 for a boundary that is too long */
  constructor(contentType: string) {
    const boundary = boundaryOf(contentType);
    if (boundary !== undefined) this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Takes the next piece of the body. */
  see(chunk: Buffer): void {
    const { delimiter } = this;
    if (!delimiter || this.ended) return;
    const bytes = Buffer.concat([this.rest, chunk]);
    const most = delimiter.length + 2;
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(delimiter, from);
      if (at < 0 || at + most > bytes.length) {
        this.rest = bytes.subarray(at < 0 ? Math.max(from, bytes.length - most + 1) : at);
        return;
      }
      from = at + delimiter.length;
      const after = bytes.toString('latin1', from, from + 2);
      if (after === '--') {
        this.ended = true;
        return;
      }
      if (after === '\r\n') this.count += 1;
    }
  }
}
