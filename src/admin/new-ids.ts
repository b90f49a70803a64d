import { OperationError } from '../api/errors/error-codes';
import { type SqlExecutor } from '../database/database';
import { nextId, type Table } from '../import-export/engine/sequences';

/** Maximum number of ids that a new record tries. */
const MAX_ATTEMPTS = 10;

/** A new record has the id of an existing one. */
export class IdTaken extends OperationError {
  constructor(id: number) {
    super(`${id} already exists; update it with PUT`);
  }
}

/**
 * Creates a record with a requested id, or else with the next one of its table. An import may have
 * stored a record with that id meanwhile: then the record gets the id after it.
 *
 * @throws IdTaken when the requested id, or each of ten ids, exists
 */
export async function withNewId<T>(
  executor: SqlExecutor,
  table: Table,
  requested: number | undefined,
  create: (id: number) => Promise<T>,
): Promise<T> {
  if (requested !== undefined) return create(requested);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create(await nextId(executor, table));
    } catch (error) {
      if (!(error instanceof IdTaken) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
