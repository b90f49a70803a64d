import { type INestApplicationContext } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service';
import { cliActor } from './actor';

/**
 * Runs an import with two audit entries: its start and its result. An import has many transactions;
 * without the second entry it was interrupted.
 * @param what name of a kind, or of another import
 * @param from its arguments, without secrets
 */
export async function auditedImport<T extends object>(
  app: INestApplicationContext,
  what: string,
  from: object,
  work: () => Promise<T>,
): Promise<T> {
  const audit = app.get(AuditService, { strict: false });
  const entry = { actor: cliActor(), kind: 'import', id: what };
  await audit.log({ ...entry, action: 'import.begin' }, from);
  const result = await work();
  await audit.log({ ...entry, action: 'import.end' }, result);
  return result;
}
