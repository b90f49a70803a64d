import { Controller, Get } from '@nestjs/common';
import { unavailable } from '../api/errors/error-codes';
import { Extension, Public, RespondsJson, OperationId, Summary } from '../api/routing/route';
import { HealthService } from './health.service';

const STATUS = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      description: '`ok`; `ready`, or `read-only` while only replicas answer.',
    },
  },
  required: ['status'],
  additionalProperties: false,
};

@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('healthz')
  @Public()
  @RespondsJson(STATUS)
  @Extension()
  @OperationId('getLiveness')
  @Summary('Whether the process serves')
  alive(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @RespondsJson(STATUS)
  @Extension()
  @OperationId('getReadiness')
  @Summary('Whether the database answers, can be written to and is at the newest migration')
  async ready(): Promise<{ status: string }> {
    // Reads continue during a failover: proxies must not take the process out.
    if (this.health.isReadOnly) return { status: 'read-only' };
    const missing = await this.health.missing();
    if (missing !== undefined) {
      throw unavailable(new Error(missing), { detail: missing });
    }
    return { status: 'ready' };
  }
}
