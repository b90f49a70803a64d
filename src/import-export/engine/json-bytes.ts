/** Bytes that structure JSON text (RFC 8259, section 2). */
export const NEWLINE = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
/** Replaces a list that was read element by element. */
export const NULL = Buffer.from('null');
/** Completes an object that was read up to its lists. */
export const CLOSING = Buffer.from('}');

/** 1 for each byte that is significant outside a string. */
export const STRUCTURAL = new Uint8Array(256);
for (const byte of Buffer.from('"{}[],:\n')) STRUCTURAL[byte] = 1;

/** Whether a byte is JSON white space. */
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

/** Whether text is JSON white space alone. */
export const isBlank = (bytes: Buffer): boolean => bytes.every(isSpace);
