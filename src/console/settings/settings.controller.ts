import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminLimitsService } from '../../admin/limits.service';
import { type ApiRequest } from '../../api/http/request-context';
import { SETTING_NAMES, Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { shownText } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { isSecret } from './secret-settings';
import { settingsPage, type SettingInForce } from './settings.pages';

const ALL = { start: 0, count: 100 };

/** Settings as they are in force, and limits to change. */
@Controller('admin/settings')
export class SettingPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly limits: AdminLimitsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { items } = await this.limits.list(ALL);
    sendPage(response, settingsPage(visit, items, this.inForce()));
  }

  @Post('limits/:name')
  @ConsoleRoute()
  async setLimit(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('name') name: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const value = field(request, 'value').trim();
      if (value === '') await this.limits.reset(name, actor);
      else await this.limits.set(name, Number(value), actor);
      return withQuery(CONSOLE.settings, { did: 'limit' });
    });
  }

  private inForce(): SettingInForce[] {
    const current = this.settings as unknown as Readonly<Record<string, unknown>>;
    const defaults = new Settings() as unknown as Readonly<Record<string, unknown>>;
    return [...SETTING_NAMES].sort().map((name) => {
      const value = current[name];
      return {
        name,
        value: value === undefined || isSecret(name) ? undefined : shownText(value),
        isSecret: isSecret(name),
        isDefault: value === defaults[name],
      };
    });
  }
}
