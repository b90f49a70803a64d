import { Injectable } from '@nestjs/common';
import { type UserSession } from '../accounts/browser-sessions.service';
import { AuditService } from '../audit/audit.service';
import { type SqlExecutor } from '../database/database';

/** Changes of developers to their applications. */
export type DeveloperAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'rotate_secret'
  | 'request'
  | 'create_test_key'
  | 'delete_test_key'
  | 'set_logo'
  | 'delete_logo';

/** Logs the changes of developers in the audit log, with actions such as `application.update`. */
@Injectable()
export class DeveloperLog {
  constructor(private readonly audit: AuditService) {}

  /**
   * Logs a change in its transaction: either both happen or neither.
   * @param after the new state, without secrets
   */
  async log(
    executor: SqlExecutor,
    { user, request }: UserSession,
    action: DeveloperAction,
    clientId: string,
    after: object,
  ): Promise<void> {
    const actor = { id: user.id, name: user.uid, requestId: request.context.id };
    const what = { actor, action: `application.${action}`, kind: 'application', id: clientId };
    await this.audit.log(what, after, executor);
  }
}
