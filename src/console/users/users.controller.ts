import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminUsersService } from '../../admin/users.service';
import { ROLES } from '../../api/access/access';
import { malformed } from '../../api/errors/error-codes';
import { firstOf } from '../../api/input/text-input';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireDay, requireId, textIn } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { ContentRepository } from '../review/content.repository';
import { QueuedTextsRepository } from '../review/queued-texts.repository';
import { LIST_COUNT, userPage, usersPage } from './users.pages';

const pathOf = (id: number, did: string): string => withQuery(`${CONSOLE.users}/${id}`, { did });

/** Users, their roles and blocks. */
@Controller('admin/users')
export class UserPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly users: AdminUsersService,
    private readonly texts: QueuedTextsRepository,
    private readonly content: ContentRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const q = textIn(query.q);
    const role = chosen(query.role, ROLES, undefined);
    const blocked = chosen(query.blocked, ['true', 'false'] as const, undefined);
    const wanted = { q, role, blocked: blocked === undefined ? undefined : blocked === 'true' };
    const page = await this.users.list(wanted, readPage(query, { count: LIST_COUNT }));
    const filter = { q, role: role ?? '', blocked: blocked ?? '' };
    sendPage(response, usersPage(session, filter, page));
  }

  @Get(':id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const id = requireId(text);
    const user = await this.users.getUser(id);
    const [apps, written, queued] = await Promise.all([
      this.users.listGrants(id),
      this.content.listOfAuthor(id),
      this.texts.listOfUser(id),
    ]);
    const find = await this.content.findContent(queued);
    sendPage(response, userPage(session, user, apps, { written, queued, find }));
  }

  @Post(':id/block')
  @ConsoleRoute()
  async block(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const id = requireId(text);
      const until = field(request, 'until');
      const block = {
        reason: firstOf(field(request, 'reason').trim(), 1000),
        until: until === '' ? null : requireDay(until, 'until'),
      };
      await this.users.setBlocked(id, block, actor);
      return pathOf(id, 'blocked');
    });
  }

  @Post(':id/unblock')
  @ConsoleRoute()
  async unblock(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const id = requireId(text);
      await this.users.setBlocked(id, undefined, actor);
      return pathOf(id, 'unblocked');
    });
  }

  @Post(':id/revoke')
  @ConsoleRoute()
  async revoke(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const id = requireId(text);
      await this.users.revokeGrants(id, field(request, 'client_id'), actor);
      return pathOf(id, 'revoked');
    });
  }

  @Post(':id/role')
  @ConsoleRoute()
  async setRole(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const id = requireId(text);
      const role = chosen(field(request, 'role'), ROLES, undefined);
      if (!role) throw malformed('unknown role');
      await this.users.setRole(id, role, actor);
      return pathOf(id, 'saved');
    });
  }
}
