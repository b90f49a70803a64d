import { type SqlExecutor } from '../../database/database';
import { type RecordHandler } from './record-handler';
import { MAX_RECORD_BYTES } from './record-limits';

/** Records per read: initial and maximum number. */
const FIRST = 50;
const MAX = 500;

/** Target size of a read in characters, estimated from the previous records. */
const READ = 4_000_000;

/** Target size of a written piece in characters. */
const PIECE = 1_000_000;

/** Lines that are written together. */
export interface ExportPiece {
  /** Complete lines, one record each. */
  readonly text: string;
  readonly records: number;
}

/**
 * Exports all records of a kind as lines of JSON, ordered by id. The batch size adapts to the size
 * of the previous records, so that only a few megabytes are in memory. The next batch is read after
 * the consumer has taken the current one.
 * @throws Error naming a record that an import would reject
 */
export async function* exportPieces(
  executor: SqlExecutor,
  kind: RecordHandler,
): AsyncGenerator<ExportPiece> {
  let limit = FIRST;
  for (let id = 0; ;) {
    const rows = await kind.scanAfter(executor, id, limit);
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

/** The export fails here because an import would reject this record. */
function requireImportable(line: string, kind: RecordHandler, id: number): void {
  if (line.length * 3 <= MAX_RECORD_BYTES || Buffer.byteLength(line) <= MAX_RECORD_BYTES + 1)
    return;
  throw new Error(`${kind.name} ${id} exceeds the import limit of 16 MB`);
}
