import { Controller, Get, Post, type Type } from '@nestjs/common';
import { BodyInput, Id, QueryInput } from '../../api/input/input';
import { ExistingIdParam, OperationId, RespondsJson } from '../../api/routing/route';
import { type Actor } from '../../audit/audit.service';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { CurrentAdministrator, Admin } from '../admin-route';
import { MergesService, type MergePreview } from './merges.service';
import { BOOKS, SUBJECTS, type RecordType } from './record-types';
import { WHOLE_RECORD } from './records.resources';

class MergeInput {
  @Id({ required: true, about: 'Id of the record that stays.' })
  into: number;
}

const PREVIEW = {
  type: 'object',
  description: 'What the merge would do.',
  required: ['survivor', 'other', 'changes', 'moved'],
  properties: {
    survivor: { ...WHOLE_RECORD, description: 'The record that stays.' },
    other: { ...WHOLE_RECORD, description: 'The record that disappears.' },
    changes: { ...WHOLE_RECORD, description: 'The members of the survivor that change.' },
    moved: {
      type: 'object',
      description: 'Numbers of rows that the survivor gets, by their name, such as `reviews`.',
      additionalProperties: { type: 'integer' },
    },
  },
};

function mergesController([of, noun]: readonly [RecordType, string]): Type {
  @Controller(`admin/v1/${of.name}/:id/merge`)
  class MergesController {
    constructor(private readonly merges: MergesService) {}

    @Get()
    @OperationId(`preview${noun}Merge`)
    @Admin(`Preview a merge of two records of ${of.name}`)
    @RespondsJson(PREVIEW)
    preview(
      @ExistingIdParam('id') id: number,
      @QueryInput(MergeInput) { into }: MergeInput,
    ): Promise<MergePreview> {
      return this.merges.preview(of, { id, into });
    }

    @Post()
    @OperationId(`merge${noun}s`)
    @Admin(`Merge a record of ${of.name} into another one; its id means the other one from then on`)
    @RespondsJson(WHOLE_RECORD)
    merge(
      @ExistingIdParam('id') id: number,
      @BodyInput(MergeInput) { into }: MergeInput,
      @CurrentAdministrator() actor: Actor,
    ): Promise<WireRecord> {
      return this.merges.merge(of, { id, into }, actor);
    }
  }
  Object.defineProperty(MergesController, 'name', { value: `Admin${noun}MergesController` });
  return MergesController;
}

/** Merging of the kinds that have it. */
export const MERGE_CONTROLLERS: readonly Type[] = (
  [
    [BOOKS, 'Book'],
    [SUBJECTS, 'Subject'],
  ] as const
).map(mergesController);
