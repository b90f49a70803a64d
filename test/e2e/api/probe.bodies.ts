import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, EnumParam, QueryInput, Text, IntegerParam } from '../../../src/api/input/input';
import { Instant } from '../../../src/api/input/time-params';
import { RespondsEmpty, RespondsJson, RequireScope } from '../../../src/api/routing/route';

/** Parameters of a write, one of each sort. */
export class WriteInput {
  @Text({ required: true })
  title: string;

  @Text({ min: 16, max: 20, error: 'reviewContentShort', required: true })
  content: string;

  @Text({ max: 5, error: 'commentTooLong' })
  comment?: string;

  @IntegerParam({ min: 1, max: 999999, error: 'invalidPageNumber' })
  page?: number;

  @EnumParam(['wish', 'read'], { aliases: { done: 'read' } })
  status: string = 'wish';

  @Instant()
  at?: Date;
}

/** Parameters that may all be absent. */
export class LooseInput {
  @Text()
  note?: string;
}

const ANY = { type: 'object' };

@Controller('v2/probe')
export class BodiesController {
  @Post('writes')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY, { status: 201 })
  create(@BodyInput(WriteInput) input: WriteInput) {
    return { ...input };
  }

  @Put('writes')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY, { status: 202 })
  change(@BodyInput(WriteInput) input: WriteInput) {
    return { ...input };
  }

  @Get('writes')
  @RequireScope('book_basic_r')
  @RespondsJson(ANY)
  query(@QueryInput(WriteInput) input: WriteInput) {
    return { ...input };
  }

  @Post('loose')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY)
  loose(@BodyInput(LooseInput) input: LooseInput) {
    return { ...input };
  }

  @Delete('loose')
  @RequireScope('book_basic_w')
  @RespondsEmpty()
  remove() {
    return undefined;
  }
}
