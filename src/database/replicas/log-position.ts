/** Bytes of a page of the write-ahead log, and of its headers: the first of a segment is longer. */
const PAGE = 8192;
const SHORT_HEADER = 24;
const LONG_HEADER = 40;

/**
 * A position in the write-ahead log as a number of bytes. PostgreSQL writes it as `16/B374D848`. The
 * number is exact up to 8 petabytes.
 *
 * A position right after the header of a page becomes the position before it: the primary reports
 * the former and a replica the latter, although no record lies between them.
 */
export function parsePosition(lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/');
  const position = parseInt(high, 16) * 0x1_0000_0000 + parseInt(low, 16);
  const inPage = position % PAGE;
  return inPage === SHORT_HEADER || inPage === LONG_HEADER ? position - inPage : position;
}
