import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/errors';
import { slicePage, type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { statement, type Runner } from '../database/database';
import { type LimitValues } from '../limits/limit-values';
import { LimitsService } from '../limits/limits.service';

const OVERRIDE = statement('admin.limit', 'SELECT value FROM limits WHERE name = $1');

type LimitRow = ReturnType<LimitValues['all']>[number];

/** Limits of calls, for administrators (D16). */
@Injectable()
export class AdminLimitsService {
  constructor(
    private readonly limits: LimitsService,
    private readonly audit: AuditService,
  ) {}

  async list(page: PageQuery): Promise<Page<LimitRow>> {
    return slicePage(await this.limits.list(), page);
  }

  /** @throws NotPossible 1001 for an unknown one */
  async show(name: string): Promise<LimitRow> {
    const found = (await this.limits.list()).find((limit) => limit.name === name);
    if (!found) throw notFound(`no such limit: ${name}`);
    return found;
  }

  /** Sets a limit, whatever the settings say. @throws NotPossible 1001 for an unknown one */
  async set(name: string, value: number, actor: Actor): Promise<LimitRow> {
    await this.change('set', name, actor, () => this.limits.set(name, value));
    return this.show(name);
  }

  /** Makes a limit what the settings say. @throws NotPossible 1001 for an unknown one */
  async reset(name: string, actor: Actor): Promise<LimitRow> {
    await this.change('reset', name, actor, () => this.limits.reset(name));
    return this.show(name);
  }

  private change(
    verb: string,
    name: string,
    actor: Actor,
    work: () => Promise<void>,
  ): Promise<void> {
    const read = async (runner: Runner) =>
      (await runner.query<{ value: number }>(OVERRIDE, [name]))[0];
    return this.audit.change(
      { actor, action: `limit.${verb}`, kind: 'limit', id: name, read },
      work,
    );
  }
}
