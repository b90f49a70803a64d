import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { exportPieces, type ExportPiece } from './export-pieces';
import { RecordHandlers } from './handlers';

/** Exports the stored records in the service's own JSON shapes. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: RecordHandlers,
  ) {}

  /**
   * Newline-delimited JSON ordered by id, in pieces of complete lines. An import of it restores the
   * same records.
   */
  async *export(kindName: string): AsyncGenerator<string> {
    for await (const { text } of this.exportPieces(kindName)) yield text;
  }

  /** Number of records that an export of a kind has now; undefined when the kind has no count. */
  async countRecords(kindName: string): Promise<number | undefined> {
    return this.kinds.named(kindName).countStored?.(this.database);
  }

  /** Like `export`, with the number of records in each piece. */
  exportPieces(kindName: string): AsyncGenerator<ExportPiece> {
    return exportPieces(this.database, this.kinds.named(kindName));
  }
}
