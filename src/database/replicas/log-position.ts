/** Bytes of a page of the write-ahead log, and of its headers: the first of a segment is longer. */
const PAGE = 8192;
const SHORT_HEADER = 24;
const LONG_HEADER = 40;

/**
 * A position in the write-ahead log as a number of bytes. PostgreSQL writes it as `16/B374D848`.
 * The number is exact up to 8 petabytes.
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

/** A position in the log of a timeline. Positions of two timelines cannot be compared. */
export interface TimelinePosition {
  /** Each promotion of a standby increments it; undefined when not known. */
  readonly timeline: number | undefined;
  readonly position: number;
}

/** Hexadecimal digits of a timeline, and of a position. */
const TIMELINE_DIGITS = 8;
const POSITION_DIGITS = 16;
const ENCODED = new RegExp(`^0x([0-9a-f]{${TIMELINE_DIGITS}})([0-9a-f]{${POSITION_DIGITS}})$`);

/**
 * A position as text. Text of a later position sorts after that of an earlier one: the timeline
 * comes first. Version 1.0.0 stored decimal numbers; it reads the text as a number beyond all
 * positions.
 */
export function encodePosition({ timeline = 0, position }: TimelinePosition): string {
  const digits = (value: number, count: number): string => value.toString(16).padStart(count, '0');
  return `0x${digits(timeline, TIMELINE_DIGITS)}${digits(position, POSITION_DIGITS)}`;
}

/**
 * The position of a text of {@link encodePosition}, or of a decimal number without a timeline.
 * Other text is a position that no replica has.
 */
export function decodePosition(text: string): TimelinePosition {
  const [, timeline, position = ''] = ENCODED.exec(text) ?? [];
  if (timeline === undefined) {
    const number = Number(text);
    return { timeline: undefined, position: Number.isNaN(number) ? Infinity : number };
  }
  return { timeline: parseInt(timeline, 16), position: parseInt(position, 16) };
}
