import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminLimitsService } from '../../admin/limits.service';
import { type ApiRequest } from '../../api/http/request-context';
import { LIMIT_NAMES } from '../../config/limit-settings';
import { SETTING_NAMES, Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { toText } from '../../text/to-text';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { isSecret } from './secret-settings';
import { settingsPage, type SettingInForce } from './settings.pages';

type Values = Readonly<Record<string, unknown>>;

/** Values in force of settings that are derived from others while they are not set. */
const DERIVED: Readonly<Record<string, (settings: Settings) => unknown>> = {
  BASE_URL: ({ baseUrl }) => baseUrl,
  WEB_URL: ({ webUrl }) => webUrl,
  REQUIRE_HTTPS: ({ requireHttps }) => requireHttps,
  LAME_DUCK_SECONDS: ({ lameDuckSeconds }) => lameDuckSeconds,
  UPLOADS_DIR: ({ uploadsDir }) => uploadsDir,
  PICTURES_DIR: ({ picturesDir }) => picturesDir,
  TRANSFER_DIR: ({ transferDir }) => transferDir,
};

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
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { items } = await this.limits.list(ALL);
    const current = this.values();
    const limits = items.map((limit) => ({ ...limit, inSettings: toText(current[limit.name]) }));
    sendPage(response, settingsPage(session, limits, this.inForce()));
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

  /** All settings but the limits, which administrators change. */
  private inForce(): SettingInForce[] {
    const current = this.values();
    const defaults = new Settings() as unknown as Values;
    const names = SETTING_NAMES.filter(
      (name) => !(LIMIT_NAMES as readonly string[]).includes(name),
    );
    return names.sort().map((name) => {
      const isDerived = current[name] === undefined && name in DERIVED;
      const value = isDerived ? DERIVED[name]?.(this.settings) : current[name];
      return {
        name,
        value: value === undefined || isSecret(name) ? undefined : toText(value),
        isSecret: isSecret(name) && value !== undefined,
        source: isDerived ? 'derived' : value === defaults[name] ? 'byDefault' : 'fromEnvironment',
      };
    });
  }

  private values(): Values {
    return this.settings as unknown as Values;
  }
}
