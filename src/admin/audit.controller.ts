import { Controller, Get } from '@nestjs/common';
import { Instant, QueryInput, Text } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { Paging, RespondsList } from '../api/routing/route';
import { Admin } from './admin-route';
import { AuditRepository } from './audit.repository';
import { AuditEntry, type AuditRow } from './audit.resources';

class AuditQuery {
  @Text({ about: 'Who made the change.' })
  actor?: string;

  @Text({ about: 'Such as application.approve.' })
  action?: string;

  @Text({ about: 'Such as application.' })
  kind?: string;

  @Text({ about: 'Which thing of the kind.' })
  id?: string;

  @Instant({ about: 'Changes from this moment on.' })
  from?: Date;

  @Instant({ about: 'Changes before this moment.' })
  to?: Date;
}

/** The log of changes. */
@Controller('admin/v1/audit')
export class AuditController {
  constructor(private readonly log: AuditRepository) {}

  @Get()
  @Admin('What administrators changed, the latest first')
  @RespondsList('entries', AuditEntry)
  list(
    @QueryInput(AuditQuery) query: AuditQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AuditRow>> {
    return this.log.list(query, page);
  }
}
