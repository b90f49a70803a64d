import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen } from '../input';
import { HealthService } from './health.service';
import { todayPage } from './today.pages';
import { TodayRepository } from './today.repository';
import { PERIODS, TrafficRepository } from './traffic.repository';

/** The first page of the console (dashboard): pending decisions, traffic and health. */
@Controller('admin')
export class TodayController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly today: TodayRepository,
    private readonly requests: TrafficRepository,
    private readonly checks: HealthService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const period = chosen(request.context.query.period, PERIODS, 'day');
    const [waiting, found, health] = await Promise.all([
      this.today.getWaiting(),
      this.requests.getTraffic(period),
      this.checks.getHealth(),
    ]);
    const traffic = { ...found, period, timeZone: this.settings.TIME_ZONE };
    sendPage(response, todayPage(session, { waiting, traffic, health }));
  }
}
