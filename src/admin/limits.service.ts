import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/error-codes';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { type SqlExecutor, type TransactionHooks } from '../database/database';
import { type LimitValues } from '../limits/limit-values';
import { LimitsService } from '../limits/limits.service';

type LimitRow = ReturnType<LimitValues['all']>[number];

/** Administration of request limits (D16). */
@Injectable()
export class AdminLimitsService {
  constructor(
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  async list(page: PageQuery): Promise<Page<LimitRow>> {
    return slicePage(await this.limits.list(), page);
  }

  /** @throws OperationError 1001 when not found */
  async getLimit(name: string): Promise<LimitRow> {
    const found = (await this.limits.list()).find((limit) => limit.name === name);
    if (!found) throw notFound(`limit not found: ${name}`);
    return found;
  }

  /** Sets a limit, which overrides the settings. @throws OperationError 1001 when not found */
  async set(name: string, value: number, actor: Actor): Promise<LimitRow> {
    await this.change('set', name, actor, (hooks) => this.limits.set(name, value, hooks));
    return this.getLimit(name);
  }

  /** Resets a limit to the value of the settings. @throws OperationError 1001 when not found */
  async reset(name: string, actor: Actor): Promise<LimitRow> {
    await this.change('reset', name, actor, (hooks) => this.limits.reset(name, hooks));
    return this.getLimit(name);
  }

  private change(
    verb: string,
    name: string,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<void>,
  ): Promise<void> {
    const read = (executor: SqlExecutor) => this.limits.findOverride(executor, name);
    return this.audit.logChange(
      { actor, action: `limit.${verb}`, kind: 'limit', id: name, read },
      work,
    );
  }
}
