import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { Kinds } from './kinds';

/** Records that are read at a time. */
const BATCH = 1000;

/** Writes what the database holds, in the service's own shapes. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly kinds: Kinds,
  ) {}

  /** Newline-delimited JSON, by id, in pieces of whole lines; it imports to the same. */
  async *export(kindName: string): AsyncGenerator<string> {
    const kind = this.kinds.named(kindName);
    for (let id = 0; ;) {
      const rows = await kind.after(this.database, id, BATCH);
      if (rows.length === 0) return;
      yield rows.map(({ record }) => `${JSON.stringify(kind.wire(record))}\n`).join('');
      id = rows[rows.length - 1]?.id ?? id;
    }
  }
}
