import { Injectable } from '@nestjs/common';
import { type Level } from '../api/access/access';
import { notFound, OperationError } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { type SqlExecutor, type TransactionHooks } from '../database/database';
import { LimitsService } from '../limits/limits.service';
import {
  ApplicationsService,
  type MadeApplication,
  type NewApplication,
} from '../oauth/applications.service';
import { ApprovalsService } from '../oauth/approvals.service';
import {
  ApplicationDetailsRepository,
  type AdminApplicationDetails,
  type AdminApplicationRow,
  type ApplicationFilter,
} from '../oauth/application-details.repository';
import { mayBeClientId } from '../oauth/tokens';

export type Verb = 'approve' | 'decline' | 'suspend';

/** A decision about an application. */
export interface DecisionRequest {
  readonly scopes?: readonly string[];
  readonly level?: Level;
  readonly reason?: string;
  /** The name to record for the decision; defaults to the actor. */
  readonly by?: string;
}

/** A block of an application. */
export interface BlockRequest extends Pick<DecisionRequest, 'reason' | 'by'> {
  readonly contact?: string;
}

const applicationNotFound = (clientId: string): OperationError =>
  notFound(`application not found: ${clientId}`);

/** Administration of applications. */
@Injectable()
export class AdminApplicationsService {
  constructor(
    private readonly applications: ApplicationDetailsRepository,
    private readonly applicationsService: ApplicationsService,
    private readonly approvals: ApprovalsService,
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  list(filter: ApplicationFilter, page: PageQuery): Promise<Page<AdminApplicationRow>> {
    return this.applications.list(filter, page);
  }

  /** All matching applications, newest first. */
  scan(filter: ApplicationFilter): AsyncGenerator<AdminApplicationRow> {
    return this.applications.scan(filter);
  }

  /** @throws OperationError 1001 when not found */
  async getApplication(clientId: string): Promise<AdminApplicationDetails> {
    const found = await this.applications.findApplication(clientId);
    if (!found) throw applicationNotFound(clientId);
    return found;
  }

  /** Creates an application. @throws Error for an invalid name, scope, level or redirect URI */
  create(wanted: NewApplication, actor: Actor): Promise<MadeApplication> {
    const read = (executor: SqlExecutor) => this.applications.findCreated(executor);
    const id = (made: object) => (made as AdminApplicationRow).client_id;
    return this.audit.logChange(
      { actor, action: 'application.create', kind: 'application', id, read },
      (hooks) => this.applicationsService.create(wanted, hooks),
    );
  }

  /**
   * The developer reads the reason, so that only an approval can have none.
   * @throws OperationError 1001 when not found, 999 without a scope or level, or without a reason
   */
  async decide(
    verb: Verb,
    clientId: string,
    { scopes = [], level, reason, by }: DecisionRequest,
    actor: Actor,
  ): Promise<AdminApplicationRow> {
    if (verb !== 'approve' && (reason ?? '').trim() === '')
      throw new OperationError(`a reason is required to ${verb}; the developer reads it`);
    const decider = { actor: by ?? actor.name, reason };
    return this.change(verb, clientId, actor, (hooks) =>
      this.approvals[verb](clientId, { scopes, level }, decider, hooks),
    );
  }

  /** @throws OperationError 1001 when not found, 999 without a reason and a contact */
  block(
    clientId: string,
    { reason, contact, by }: BlockRequest,
    actor: Actor,
  ): Promise<AdminApplicationRow> {
    const decider = { actor: by ?? actor.name, reason, contact };
    return this.change('block', clientId, actor, (hooks) =>
      this.approvals.block(clientId, decider, hooks),
    );
  }

  /** @throws OperationError 1001 when not found */
  unblock(
    clientId: string,
    { reason, by }: Pick<DecisionRequest, 'reason' | 'by'>,
    actor: Actor,
  ): Promise<AdminApplicationRow> {
    const decider = { actor: by ?? actor.name, reason };
    return this.change('unblock', clientId, actor, (hooks) =>
      this.approvals.unblock(clientId, decider, hooks),
    );
  }

  /**
   * @param perHour requests per hour, 0 for unlimited, null for the limit of its level
   * @throws OperationError 1001 when not found
   */
  setLimit(clientId: string, perHour: number | null, actor: Actor): Promise<AdminApplicationRow> {
    return this.change('limit', clientId, actor, (hooks) =>
      this.limits.setApplication(clientId, perHour, hooks),
    );
  }

  /** Deletes the logo of an application. @throws OperationError 1001 when not found */
  deleteLogo(clientId: string, actor: Actor): Promise<AdminApplicationRow> {
    return this.change('delete_logo', clientId, actor, (hooks) =>
      this.applicationsService.deleteLogo(clientId, hooks),
    );
  }

  private async change(
    verb: string,
    clientId: string,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<void>,
  ): Promise<AdminApplicationRow> {
    // A path can have characters that PostgreSQL cannot store.
    if (!mayBeClientId(clientId)) throw applicationNotFound(clientId);
    const action = `application.${verb}`;
    const read = (executor: SqlExecutor) => this.applications.findApplication(clientId, executor);
    const change = { actor, action, kind: 'application', id: clientId, read };
    const changed = await this.audit.logChangeAndRead(change, work);
    if (!changed) throw applicationNotFound(clientId);
    return changed;
  }
}
