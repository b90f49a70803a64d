import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { exportPieces, type ExportPiece } from './export-pieces';
import { RecordHandlers } from './handlers';

/** Writes what the database holds, in the service's own shapes. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: RecordHandlers,
  ) {}

  /** Newline-delimited JSON, by id, in pieces of whole lines; it imports to the same. */
  async *export(kindName: string): AsyncGenerator<string> {
    for await (const { text } of this.exportPieces(kindName)) yield text;
  }

  /** The same, with the number of records of each piece. */
  exportPieces(kindName: string): AsyncGenerator<ExportPiece> {
    return exportPieces(this.database, this.kinds.named(kindName));
  }
}
