import { statfs } from 'node:fs/promises';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { todayPage } from './today.pages';
import { TodayRepository } from './today.repository';

/** The first page of the console (dashboard): pending decisions, traffic and health. */
@Controller('admin')
export class TodayController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly today: TodayRepository,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const [waiting, traffic, applications, health] = await Promise.all([
      this.today.getWaiting(),
      this.today.listTraffic(),
      this.today.listTopApplications(),
      this.today.findHealth(),
    ]);
    const free = await this.freeBytes();
    const redis = this.settings.REDIS_URL !== undefined;
    sendPage(response, todayPage(visit, { waiting, traffic, applications, health, free, redis }));
  }

  /** Free bytes of the disk with DATA_DIR; undefined when the folder does not exist. */
  private async freeBytes(): Promise<number | undefined> {
    try {
      const { bavail, bsize } = await statfs(this.settings.dataDir);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }
}
