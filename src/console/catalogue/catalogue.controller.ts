import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { MergesService } from '../../admin/records/merges.service';
import { RECORD_TYPES, type RecordType } from '../../admin/records/record-types';
import { RecordsService } from '../../admin/records/records.service';
import { isNestedDeeper } from '../../api/body/json-depth';
import { malformed, type ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { WireContext } from '../../api/resources/wire-types';
import { AuditRepository } from '../../audit/audit.repository';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { RECORD_STATES, type RecordRow } from '../../import-export/engine/record-lists';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import {
  ConsoleSessions,
  RESPONSE_SENT,
  type ConsoleSession,
} from '../access/console-sessions.service';
import { toText } from '../../text/to-text';
import { chosen, requireId, textIn } from '../input';
import { withQuery } from '../../web/with-query';
import {
  cataloguePage,
  EDIT,
  LIST_COUNT,
  recordPreviewPage,
  recordPage,
  titleOf,
} from './catalogue.pages';
import { FIELD_PREFIX, SHOWN_PREFIX, STORED_FORM, type ShownForm } from './fields.parts';
import { type RecordHistory } from './history.parts';
import { RecordDetailsRepository } from './record-details.repository';
import { describeRecordError, tryChange } from './record-errors';
import { changedMembers, changedTexts, textsOfChanges, type FormTexts } from './record-form';
import { pathOfType } from './paths';
import { requireType, typeNamed } from './record-types';

const HISTORY = { start: 0, count: 20 };
const NEW = 'new';
/** Records with a title that are compared with it. */
const SAME_TITLE = 20;

/** The id in a path; undefined for a new record. */
const idOf = (text: string): number | undefined => (text === NEW ? undefined : requireId(text));

/** The texts in the fields whose names begin so. */
const textsIn =
  (request: ApiRequest, prefix: string): FormTexts =>
  (name) => {
    const value = ((request.body ?? {}) as Record<string, unknown>)[`${prefix}${name}`];
    return typeof value === 'string' ? value : undefined;
  };

/** The texts in the fields of a record's form, without those that are still the shown ones. */
const changedTextsIn = (request: ApiRequest, type: string): FormTexts =>
  changedTexts(type, textsIn(request, FIELD_PREFIX), textsIn(request, SHOWN_PREFIX));

/**
 * The members in the form of the preview, or their values before the change.
 * @throws ApiError 999 for another text, or for JSON that is nested too deeply
 */
function membersIn(request: ApiRequest, name: 'changes' | 'before'): WireRecord {
  const text = field(request, name);
  if (isNestedDeeper(text)) throw malformed(`the JSON in ${name} is nested too deeply`);
  try {
    const changes = JSON.parse(name === 'before' && text === '' ? '{}' : text) as unknown;
    if (typeof changes === 'object' && changes !== null && !Array.isArray(changes))
      return changes as WireRecord;
  } catch {
    // Reported below.
  }
  throw malformed(`${name} is not a JSON object`);
}

/** Records of the catalogue: forms, a preview of each change, history, deletion. */
@Controller('admin/catalogue')
export class CataloguePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly records: RecordsService,
    private readonly log: AuditRepository,
    private readonly merges: MergesService,
    private readonly details: RecordDetailsRepository,
    private readonly context: WireContext,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const type = typeNamed(query.type) ?? RECORD_TYPES[0];
    const filter = { q: textIn(query.q), state: chosen(query.state, RECORD_STATES, 'visible') };
    const page = await this.records.list(type, filter, readPage(query, { count: LIST_COUNT }));
    sendPage(response, cataloguePage(session, { type: type.name, ...filter }, page));
  }

  @Get(':type/:id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const type = requireType(name);
    const id = idOf(text);
    await this.sendRecord(session, type, id);
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
    await this.sessions.handle(request, response, {}, async (session) => {
      const type = requireType(name);
      const id = idOf(text);
      const stored = await this.storedOf(type, id);
      if (field(request, EDIT) !== '') {
        const [changes, before] = [membersIn(request, 'changes'), membersIn(request, 'before')];
        const textOf = textsOfChanges(name, changes, before);
        return this.sendRecord(session, type, id, { ...STORED_FORM, textOf });
      }
      const textOf = changedTextsIn(request, name);
      const of = { type, id, lang: session.messages.lang };
      const tried = await tryChange(this.records, of, () => changedMembers(name, stored, textOf));
      if ('preview' in tried) return recordPreviewPage(session, name, { id, ...tried });
      return this.sendRecord(session, type, id, { textOf, ...tried });
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
    await this.sessions.handle(request, response, {}, async (session) => {
      const type = requireType(name);
      const id = idOf(text);
      const [changes, before] = [membersIn(request, 'changes'), membersIn(request, 'before')];
      try {
        const { actor } = session;
        if (id === undefined) {
          const created = await this.records.create(type, changes, actor);
          return withQuery(`${pathOfType(name)}/${toText(created.id)}`, { did: 'created' });
        }
        await this.records.update(type, id, changes, actor, before);
        return withQuery(`${pathOfType(name)}/${id}`, { did: 'saved' });
      } catch (error) {
        const errors = new Map([describeRecordError(name, session.messages.lang, error)]);
        const { status } = error as ApiError;
        const textOf = textsOfChanges(name, changes, before);
        return this.sendRecord(session, type, id, { textOf, errors, status });
      }
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
    const deleted = typeNamed(name);
    const permanent = deleted !== undefined && this.records.isHardDeleted(deleted);
    const options = { dangerous: true, permanent };
    await this.sessions.handle(request, response, options, async ({ actor }) => {
      const type = requireType(name);
      await this.records.deleteRecord(type, requireId(text), actor);
      const shown = permanent ? { did: 'removed' } : { state: 'deleted', did: 'deleted' };
      return withQuery('/admin/catalogue', { type: type.name, ...shown });
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

  /** Sends the page of a record. @param form a form that is shown again, with the status of its error */
  private async sendRecord(
    session: ConsoleSession,
    type: RecordType,
    id: number | undefined,
    { status = 200, ...form }: ShownForm & { readonly status?: number } = STORED_FORM,
  ): Promise<typeof RESPONSE_SENT> {
    const stored = await this.storedOf(type, id);
    const history = id === undefined ? undefined : await this.historyOf(type, id);
    const merging = id === undefined ? {} : await this.mergingOf(type, id, stored);
    const films =
      type.name === 'celebrities' && id !== undefined
        ? await this.details.listFilms(id)
        : undefined;
    const shown = { id, stored, history, films, ...merging, form };
    const page = recordPage(session, type.name, shown);
    sendPage(session.response, page, { status, mediaOrigin: this.context.baseUrl });
    return RESPONSE_SENT;
  }

  private async historyOf({ kind }: RecordType, id: number): Promise<RecordHistory> {
    const { items } = await this.log.listShown({ kind, id: String(id) }, HISTORY);
    return { changes: items, times: await this.details.findTimes(kind, id) };
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
