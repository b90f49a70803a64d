import { boundaryOf } from './body-checks';

/**
 * Counts the parts of an arriving multipart body by their delimiters (RFC 2046, section 5.1.1). The
 * parser silently skips a part with headers that it cannot read.
 */
export class PartCounter {
  count = 0;
  private readonly delimiter: Buffer | undefined;
  /** Bytes that may begin a delimiter, or what follows it. */
  private rest: Buffer = Buffer.from('\r\n');
  private ended = false;

  /** @throws ApiError 999 for a boundary that is too long */
  constructor(contentType: string) {
    const boundary = boundaryOf(contentType);
    if (boundary !== undefined) this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Examines the next chunk of the body. */
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
