import { Injectable } from '@nestjs/common';
import { ScheduledTask } from '../database/scheduled-task';
import { AdminUsersService } from './users.service';

/** In the audit log. A uid cannot contain a colon. */
const ACTOR = { name: 'service:end-blocks' };

/** Unblocks users after the last day of their block (D165). */
@Injectable()
export class BlockEndTask extends ScheduledTask {
  override readonly taskName = 'end-blocks';
  override readonly intervalSeconds = 60;

  constructor(private readonly users: AdminUsersService) {
    super();
  }

  async run(): Promise<void> {
    await this.users.endBlocks(ACTOR);
  }
}
