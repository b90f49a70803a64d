import {
  Controller,
  createParamDecorator,
  Delete,
  Get,
  Post,
  Put,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { type ErrorName } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { EnumParam, QueryInput, Text } from '../../api/input/input';
import { type Page, type PageQuery } from '../../api/resources/page';
import {
  documents,
  Errors,
  ExistingIdParam,
  Paging,
  RespondsEmpty,
  RespondsJson,
  RespondsList,
} from '../../api/routing/route';
import { type Actor } from '../../audit/audit.service';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import {
  RECORD_STATES,
  type RecordRow,
  type RecordState,
} from '../../import-export/engine/record-lists';
import { CurrentAdministrator, Admin } from '../admin-route';
import * as kinds from './record-types';
import { type RecordType } from './record-types';
import {
  BOOK_MEMBERS,
  CELEBRITY_MEMBERS,
  EVENT_MEMBERS,
  LOC_MEMBERS,
  PHOTO_MEMBERS,
  SUBJECT_MEMBERS,
  type MemberDescriptions,
} from './record-members';
import { AdminRecord, WHOLE_RECORD } from './records.resources';
import { RecordsService } from './records.service';

class RecordsQuery {
  @Text({ about: 'Part of the title or name.' })
  q?: string;

  @EnumParam(RECORD_STATES, { about: '`placeholder`: only records that refer to it are known.' })
  state: RecordState = 'visible';
}

/**
 * The unchanged body with the members of a record, which its handler parses.
 * @param needed required members
 */
export const RecordBody = (
  members: Readonly<Record<string, { readonly about: string }>>,
  needed: readonly string[] = [],
): ParameterDecorator =>
  createParamDecorator(
    (_data: unknown, context: ExecutionContext): WireRecord =>
      (context.switchToHttp().getRequest<ApiRequest>().body ?? {}) as WireRecord,
    [
      documents(() =>
        Object.entries(members).map(([name, { about }]) => ({
          ...{ name, in: 'body' as const, schema: {}, about },
          required: needed.includes(name),
          errors: needed.includes(name) ? ['missingArgs' as const] : [],
        })),
      ),
    ],
  )();

/**
 * Makes a controller. Controllers differ only in their kind and documented members; `needed` are
 * the members required for creation;
 * `errors` are those of references to other records.
 */
function recordsController(
  of: RecordType,
  needed: readonly string[],
  members: MemberDescriptions,
  errors: readonly ErrorName[] = [],
): Type {
  @Controller(`admin/v1/${of.name}`)
  class RecordsController {
    constructor(private readonly records: RecordsService) {}

    @Get()
    @Admin(`List ${of.name} by id`)
    @RespondsList(of.name, AdminRecord)
    list(
      @QueryInput(RecordsQuery) query: RecordsQuery,
      @Paging() page: PageQuery,
    ): Promise<Page<RecordRow>> {
      return this.records.list(of, query, page);
    }

    @Get(':id')
    @Admin(`Get a complete record of ${of.name}`)
    @RespondsJson(WHOLE_RECORD)
    getRecord(@ExistingIdParam('id') id: number): Promise<WireRecord> {
      return this.records.getRecord(of, id);
    }

    @Post()
    @Errors(...errors)
    @Admin(`Create a record of ${of.name}; the next id when absent`)
    @RespondsJson(WHOLE_RECORD, { status: 201 })
    create(
      @RecordBody(members, needed) input: WireRecord,
      @CurrentAdministrator() actor: Actor,
    ): Promise<WireRecord> {
      return this.records.create(of, input, actor);
    }

    @Put(':id')
    @Errors(...errors, ...(needed.length > 0 ? (['missingArgs'] as const) : []))
    @Admin(`Update a record of ${of.name}, or restore a deleted one`)
    @RespondsJson(WHOLE_RECORD, { status: 202 })
    update(
      @ExistingIdParam('id') id: number,
      @RecordBody(members) input: WireRecord,
      @CurrentAdministrator() actor: Actor,
    ): Promise<WireRecord> {
      return this.records.update(of, id, input, actor);
    }

    @Delete(':id')
    @Admin(`Delete a record of ${of.name}; reviews and comments about it stay`)
    @RespondsEmpty()
    deleteRecord(
      @ExistingIdParam('id') id: number,
      @CurrentAdministrator() actor: Actor,
    ): Promise<void> {
      return this.records.deleteRecord(of, id, actor);
    }
  }
  // The OpenAPI document derives operation ids from controller names.
  const name = of.name.replace(/^./, (first) => first.toUpperCase());
  Object.defineProperty(RecordsController, 'name', { value: `Admin${name}Controller` });
  return RecordsController;
}

/** One controller per kind. */
export const RECORD_CONTROLLERS: readonly Type[] = [
  recordsController(kinds.BOOKS, ['title'], BOOK_MEMBERS),
  recordsController(kinds.SUBJECTS, ['title'], SUBJECT_MEMBERS, ['targetNotFound']),
  recordsController(kinds.CELEBRITIES, ['name'], CELEBRITY_MEMBERS),
  recordsController(kinds.PHOTOS, [], PHOTO_MEMBERS, ['targetNotFound', 'missingArgs']),
  recordsController(kinds.EVENTS, ['title', 'begin_time', 'loc_id', 'owner_id'], EVENT_MEMBERS, [
    'targetNotFound',
  ]),
  recordsController(kinds.LOCS, ['name'], LOC_MEMBERS),
];
