import { type BigIntStats } from 'node:fs';

/** Describes the content of a file, which the same file on another server has, too. */
export const fileVersionOf = ({ size, mtimeNs }: BigIntStats): string =>
  `size=${size} mtime_ns=${mtimeNs}`;
