import { statfs } from 'node:fs/promises';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { lastBackup } from '../../backup/last-backup';
import { Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { todayPage } from './today.pages';
import { TodayRepository } from './today.repository';
import { TrafficRepository } from './traffic.repository';

/** The first page of the console (dashboard): pending decisions, traffic and health. */
@Controller('admin')
export class TodayController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly today: TodayRepository,
    private readonly requests: TrafficRepository,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const [waiting, hours, traffic, applications, health, free, backup] = await Promise.all([
      this.today.getWaiting(),
      this.today.listHours(),
      this.requests.getTraffic(),
      this.today.listTopApplications(),
      this.today.findHealth(),
      this.freeBytes(),
      lastBackup(this.settings.dataDir),
    ]);
    const redis = this.settings.REDIS_URL !== undefined;
    const state = { waiting, hours, traffic, applications, health, free, backup, redis };
    sendPage(response, todayPage(visit, state));
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
