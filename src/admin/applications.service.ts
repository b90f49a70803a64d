import { Injectable } from '@nestjs/common';
import { type Level } from '../api/access/access';
import { notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { type Runner } from '../database/database';
import { LimitsService } from '../limits/limits.service';
import {
  ApplicationsService,
  type MadeApplication,
  type NewApplication,
} from '../oauth/applications.service';
import { ApprovalsService } from '../oauth/approvals.service';
import { AdminApplicationsRepository, type ApplicationFilter } from './applications.repository';
import { type AdminApplicationRow } from './applications.resources';

export type Verb = 'approve' | 'decline' | 'suspend';

/** A decision about an application. */
export interface DecisionWish {
  readonly scopes?: readonly string[];
  readonly level?: Level;
  readonly reason?: string;
  /** Who is named as having decided; the actor when not given. */
  readonly by?: string;
}

/** Applications, for administrators. */
@Injectable()
export class AdminApplicationsService {
  constructor(
    private readonly applications: AdminApplicationsRepository,
    private readonly making: ApplicationsService,
    private readonly approvals: ApprovalsService,
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  list(filter: ApplicationFilter, page: PageQuery): Promise<Page<AdminApplicationRow>> {
    return this.applications.list(filter, page);
  }

  /** All applications of a list, the latest first. */
  scan(filter: ApplicationFilter): AsyncGenerator<AdminApplicationRow> {
    return this.applications.scan(filter);
  }

  /** @throws NotPossible 1001 for an unknown one */
  async show(clientId: string): Promise<AdminApplicationRow> {
    const found = await this.applications.byClientId(clientId);
    if (!found) throw notFound(`no such application: ${clientId}`);
    return found;
  }

  /** Makes an application. @throws Error for a name, scope, level or address that cannot be */
  create(wanted: NewApplication, actor: Actor): Promise<MadeApplication> {
    const read = (runner: Runner) => this.applications.justMade(runner);
    const id = (made: object) => (made as AdminApplicationRow).client_id;
    return this.audit.change(
      { actor, action: 'application.create', kind: 'application', id, read },
      () => this.making.create(wanted),
    );
  }

  /** @throws NotPossible 1001 for an unknown application, 999 when nothing is named */
  decide(
    verb: Verb,
    clientId: string,
    { scopes = [], level, reason, by }: DecisionWish,
    actor: Actor,
  ): Promise<AdminApplicationRow> {
    const decider = { actor: by ?? actor.name, reason };
    return this.change(verb, clientId, actor, () =>
      this.approvals[verb](clientId, { scopes, level }, decider),
    );
  }

  /** @throws NotPossible 1001 for an unknown application */
  setBlocked(
    clientId: string,
    blocked: boolean,
    { reason, by }: Pick<DecisionWish, 'reason' | 'by'>,
    actor: Actor,
  ): Promise<AdminApplicationRow> {
    const decider = { actor: by ?? actor.name, reason };
    const verb = blocked ? 'block' : 'unblock';
    return this.change(verb, clientId, actor, () => this.approvals[verb](clientId, decider));
  }

  /**
   * @param perHour calls an hour, 0 for no limit, null for that of its level
   * @throws NotPossible 1001 for an unknown application
   */
  setLimit(clientId: string, perHour: number | null, actor: Actor): Promise<AdminApplicationRow> {
    return this.change('limit', clientId, actor, () =>
      this.limits.setApplication(clientId, perHour),
    );
  }

  private async change(
    verb: string,
    clientId: string,
    actor: Actor,
    work: () => Promise<void>,
  ): Promise<AdminApplicationRow> {
    const action = `application.${verb}`;
    const read = (runner: Runner) => this.applications.byClientId(clientId, runner);
    await this.audit.change({ actor, action, kind: 'application', id: clientId, read }, work);
    return this.show(clientId);
  }
}
