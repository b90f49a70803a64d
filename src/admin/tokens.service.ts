import { Injectable } from '@nestjs/common';
import { ADMIN_SCOPE } from '../api/access/access';
import { OperationError } from '../api/errors/error-codes';
import { AuditService, type Actor } from '../audit/audit.service';
import { type SqlExecutor } from '../database/database';
import { ApplicationsService, type NewToken } from '../oauth/applications.service';

/**
 * Issues and revokes access tokens. The audit log identifies them by their application and never
 * contains the token.
 */
@Injectable()
export class AdminTokensService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @throws Error for an unknown application, a scope that is not approved, and `admin` without a
   *   user, because an application alone is not an administrator
   */
  issue(requested: NewToken, actor: Actor): Promise<string> {
    const { clientId, userId = null, scopes, ttl } = requested;
    if (userId === null && scopes.includes(ADMIN_SCOPE)) {
      return Promise.reject(new OperationError('tokens with the scope admin require --user'));
    }
    const issued = { client_id: clientId, user_id: userId, scopes, seconds: ttl };
    return this.audit.logChange(
      {
        ...{ actor, action: 'token.issue', kind: 'token', id: () => clientId },
        read: () => Promise.resolve(issued),
      },
      (hooks) => this.applications.issue(requested, hooks),
    );
  }

  /** Revokes a token. @returns whether it was valid */
  async revoke(token: string, actor: Actor): Promise<boolean> {
    const read = (executor?: SqlExecutor) => this.applications.findToken(token, executor);
    const existing = await read();
    if (!existing) return false;
    return this.audit.logChange(
      { actor, action: 'token.revoke', kind: 'token', id: existing.client_id, read },
      (hooks) => this.applications.revoke(token, hooks),
    );
  }
}
