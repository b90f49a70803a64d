import { type Runner } from '../../database/database';
import { type RecordHandler } from './record-handler';
import { MAX_RECORD_BYTES } from './record-limits';

/** Records that are read at once, at first and at most. */
const FIRST = 50;
const MAX = 500;

/** Characters of records that are read at once, as far as those before tell. */
const READ = 4_000_000;

/** Characters of a piece that is written. */
const PIECE = 1_000_000;

/** Lines that are written at once. */
export interface ExportPiece {
  /** Whole lines, a record each. */
  readonly text: string;
  readonly records: number;
}

/**
 * All records of a kind as lines of JSON, by id. How many are read at once follows from the size of
 * those before: a few megabytes are in memory, and the next are read when these were taken.
 *
 * @throws Error for a record that no import would take, naming it
 */
export async function* exportPieces(
  runner: Runner,
  kind: RecordHandler,
): AsyncGenerator<ExportPiece> {
  let limit = FIRST;
  for (let id = 0; ;) {
    const rows = await kind.scanAfter(runner, id, limit);
    if (rows.length === 0) return;
    let characters = 0;
    let lines: string[] = [];
    let length = 0;
    for (const row of rows) {
      const line = `${JSON.stringify(kind.toJson(row.record))}\n`;
      requireImportable(line, kind, row.id);
      lines.push(line);
      length += line.length;
      characters += line.length;
      if (length < PIECE) continue;
      yield { text: lines.join(''), records: lines.length };
      lines = [];
      length = 0;
    }
    if (lines.length > 0) yield { text: lines.join(''), records: lines.length };
    id = rows[rows.length - 1]?.id ?? id;
    const fitting = Math.floor(READ / (characters / rows.length));
    limit = Math.max(1, Math.min(MAX, limit * 2, fitting));
  }
}

/** An export that cannot be imported is no export: better it fails now. */
function requireImportable(line: string, kind: RecordHandler, id: number): void {
  if (line.length * 3 <= MAX_RECORD_BYTES || Buffer.byteLength(line) <= MAX_RECORD_BYTES + 1)
    return;
  throw new Error(`${kind.name} ${id} is longer than an import takes: 16 MB`);
}
