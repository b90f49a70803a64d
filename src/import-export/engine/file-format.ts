/** Thrown for a file that is not JSON, before any of its records are read. */
export class FormatError extends Error {
  constructor(format: string | undefined) {
    super(
      `the file is not JSON${format === undefined ? '' : `, but ${format}`}; imports read JSON: ` +
        'one record per line, a list of records, or a list response of the API',
    );
  }
}

const BYTE_ORDER_MARK = '\ufeff';
/** Position and text of the mark in the header of a tar archive. */
const TAR = { at: 257, mark: 'ustar' };

/** Formats by the first bytes of their files. */
const SIGNATURES: readonly (readonly [start: string, format: string])[] = [
  ['PK\u0003\u0004', 'a ZIP archive or an Excel file'],
  ['%PDF', 'PDF'],
  ['SQLite format 3', 'an SQLite database'],
  ['<', 'XML or HTML'],
];

/** Whether both lines have the same number of a separator, and at least one. */
const areColumns = ([first = '', second = first]: readonly string[]): boolean =>
  [',', ';', '\t'].some((separator) => {
    const count = first.split(separator).length;
    return count > 1 && second.split(separator).length === count;
  });

/**
 * Rejects a file that is not JSON. A damaged first line does not reject the file: only its record
 * fails.
 * @param head the first bytes of a file, decompressed
 * @param isComplete whether they are all of its bytes; otherwise a long first line may be damaged
 * @throws FormatError naming the format if it is a common one
 */
export function requireJson(head: Buffer, isComplete: boolean): void {
  const text = head.toString().replace(BYTE_ORDER_MARK, '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, 2);
  if (first.length === 0 || first.some((line) => /^\s*[[{]/.test(line))) return;
  const [, format] = SIGNATURES.find(([start]) => text.startsWith(start)) ?? [];
  if (format !== undefined) throw new FormatError(format);
  if (head.subarray(TAR.at, TAR.at + TAR.mark.length).toString() === TAR.mark)
    throw new FormatError('a tar archive');
  if (first.length < 2 && !isComplete) return;
  throw new FormatError(areColumns(first) ? 'a table such as CSV' : undefined);
}
