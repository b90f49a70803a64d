import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { MergesService } from '../../admin/records/merges.service';
import { RECORD_TYPES, type RecordType } from '../../admin/records/record-types';
import { RecordsService } from '../../admin/records/records.service';
import { malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { AuditRepository } from '../../audit/audit.repository';
import { type WireRecord } from '../../import-export/engine/editing';
import { RECORD_STATES, type RecordRow } from '../../import-export/engine/record-lists';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireId, shownText, textIn } from '../input';
import { withQuery } from '../../web/with-query';
import {
  cataloguePage,
  FIELD_PREFIX,
  LIST_COUNT,
  previewPage,
  recordPage,
  titleOf,
} from './catalogue.pages';
import { changedMembers } from './record-form';
import { pathOfType } from './paths';
import { requireType, typeNamed } from './record-types';

const HISTORY = { start: 0, count: 20 };
const NEW = 'new';
/** Records with a title that are compared with it. */
const SAME_TITLE = 20;

/** The id in a path; undefined for a new record. */
const idOf = (text: string): number | undefined => (text === NEW ? undefined : requireId(text));

/** The members in the form of the preview. @throws ApiError 999 for another text */
function changesIn(request: ApiRequest): WireRecord {
  try {
    const changes = JSON.parse(field(request, 'changes')) as unknown;
    if (typeof changes === 'object' && changes !== null && !Array.isArray(changes))
      return changes as WireRecord;
  } catch {
    // Reported below.
  }
  throw malformed('changes is not a JSON object');
}

/** Records of the catalogue: forms, a preview of each change, history, deletion. */
@Controller('admin/catalogue')
export class CataloguePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly records: RecordsService,
    private readonly log: AuditRepository,
    private readonly merges: MergesService,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const type = typeNamed(query.type) ?? RECORD_TYPES[0];
    const filter = { q: textIn(query.q), state: chosen(query.state, RECORD_STATES, 'visible') };
    const page = await this.records.list(type, filter, readPage(query, { count: LIST_COUNT }));
    sendPage(response, cataloguePage(visit, { type: type.name, ...filter }, page));
  }

  @Get(':type/:id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const type = requireType(name);
    const id = idOf(text);
    const stored = await this.storedOf(type, id);
    const filter = { kind: type.kind, id: String(id) };
    const history = id === undefined ? [] : (await this.log.list(filter, HISTORY)).items;
    const merging = id === undefined ? {} : await this.mergingOf(type, id, stored);
    sendPage(response, recordPage(visit, type.name, { id, stored, history, ...merging }));
  }

  /** Changes nothing, so it needs no redirect. */
  @Post(':type/:id/preview')
  @ConsoleRoute()
  async preview(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async (visit) => {
      const type = requireType(name);
      const id = idOf(text);
      const stored = await this.storedOf(type, id);
      const body = (request.body ?? {}) as Record<string, unknown>;
      const changes = changedMembers(type.name, stored, (member) => {
        const value = body[`${FIELD_PREFIX}${member}`];
        return typeof value === 'string' ? value : undefined;
      });
      return previewPage(visit, type.name, { id, stored, changes });
    });
  }

  @Post(':type/:id/save')
  @ConsoleRoute()
  async save(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const type = requireType(name);
      const id = idOf(text);
      const changes = changesIn(request);
      if (id === undefined) {
        const created = await this.records.create(type, changes, actor);
        const path = `${pathOfType(type.name)}/${shownText(created.id)}`;
        return withQuery(path, { did: 'created' });
      }
      await this.records.update(type, id, changes, actor);
      return withQuery(`${pathOfType(type.name)}/${id}`, { did: 'saved' });
    });
  }

  @Post(':type/:id/delete')
  @ConsoleRoute()
  async deleteRecord(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const type = requireType(name);
      await this.records.deleteRecord(type, requireId(text), actor);
      return withQuery('/admin/catalogue', { type: type.name, state: 'deleted', did: 'deleted' });
    });
  }

  @Post(':type/:id/restore')
  @ConsoleRoute()
  async restore(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const type = requireType(name);
      const id = requireId(text);
      await this.records.update(type, id, {}, actor);
      return withQuery(`${pathOfType(type.name)}/${id}`, { did: 'restored' });
    });
  }

  /** The survivor of a merged record, and records into which another one could be merged. */
  private async mergingOf(
    type: RecordType,
    id: number,
    stored: WireRecord,
  ): Promise<{ survivor?: number | undefined; same?: readonly RecordRow[] }> {
    if (!this.merges.canMerge(type)) return {};
    if (stored.deleted !== undefined) return { survivor: await this.merges.survivorOf(type, id) };
    const q = titleOf(stored);
    const page = { start: 0, count: SAME_TITLE };
    const { items } = await this.records.list(type, { q, state: 'visible' }, page);
    return { same: items.filter((row) => Number(row.id) !== id && row.title === q) };
  }

  private storedOf(type: RecordType, id: number | undefined): Promise<WireRecord> {
    return id === undefined ? Promise.resolve({}) : this.records.getRecord(type, id);
  }
}
