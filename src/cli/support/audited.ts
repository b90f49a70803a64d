import { type INestApplicationContext } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service';
import { cliActor } from './actor';

/**
 * Imports something, of whatever kind, with two entries in the log of changes: that it began, and
 * what came of it. It is many transactions; one that has no second entry did not come to its end.
 *
 * @param what name of a kind, or of another way to import
 * @param from what it was told; no secrets
 */
export async function auditedImport<T extends object>(
  app: INestApplicationContext,
  what: string,
  from: object,
  work: () => Promise<T>,
): Promise<T> {
  const audit = app.get(AuditService, { strict: false });
  const entry = { actor: cliActor(), kind: 'import', id: what };
  await audit.note({ ...entry, action: 'import.begin' }, from);
  const result = await work();
  await audit.note({ ...entry, action: 'import.end' }, result);
  return result;
}
