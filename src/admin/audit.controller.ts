import { Controller, Get } from '@nestjs/common';
import { QueryInput, Text } from '../api/input/input';
import { Instant } from '../api/input/time-params';
import { type Page, type PageQuery } from '../api/resources/page';
import { Paging, RespondsList } from '../api/routing/route';
import { AuditRepository, type AuditRow } from '../audit/audit.repository';
import { Admin } from './admin-route';
import { AuditEntry } from './audit.resources';

class AuditQuery {
  @Text({ about: 'Actor of the change.' })
  actor?: string;

  @Text({ about: 'Such as application.approve.' })
  action?: string;

  @Text({ about: 'Such as application.' })
  kind?: string;

  @Text({ about: 'Id of the target.' })
  id?: string;

  @Instant({ about: 'Changes at or after this time.' })
  from?: Date;

  @Instant({ about: 'Changes before this time.' })
  to?: Date;
}

/** The audit log. */
@Controller('admin/v1/audit')
export class AuditController {
  constructor(private readonly log: AuditRepository) {}

  @Get()
  @Admin('List audit log entries, newest first')
  @RespondsList('entries', AuditEntry)
  list(
    @QueryInput(AuditQuery) query: AuditQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AuditRow>> {
    return this.log.list(query, page);
  }
}
