/**
 * Where header fields of a response are set: a `ServerResponse`, or the fields that the fast lane
 * gathers.
 */
export interface HeaderFields {
  readonly headersSent: boolean;
  setHeader(name: string, value: string | number): unknown;
  hasHeader(name: string): boolean;
}
