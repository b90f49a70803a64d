import {
  Controller,
  Get,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  Post,
  Put,
  Res,
} from '@nestjs/common';
import { type Response } from 'express';
import { ApiError, malformed } from '../../../src/api/errors/error-codes';
import { Public, Responds, RespondsJson, RequireScope } from '../../../src/api/routing/route';
import { Database, statement } from '../../../src/database/database';
import { Broken } from './probe.resources';

const ANY = {};
/** Stands in what must never be told. */
export const SECRET = 'postgres://root:hunter2@internal';

const circle: Record<string, unknown> = {};
circle.self = circle;

const FAILURES: Record<string, () => unknown> = {
  error: () => {
    throw new Error(SECRET);
  },
  text: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw SECRET;
  },
  nothing: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw undefined;
  },
  rejection: () => Promise.reject(new TypeError(SECRET)),
  nest: () => {
    throw new InternalServerErrorException(SECRET);
  },
  gateway: () => {
    throw new HttpException(SECRET, 502);
  },
  circle: () => circle,
  bigint: () => ({ id: 10n }),
};
export const FAILING = Object.keys(FAILURES);

@Controller('v2/probe')
class Failures {}
for (const name of FAILING) {
  const handler = () => FAILURES[name]?.();
  Object.defineProperty(Failures.prototype, name, { value: handler, writable: true });
  const descriptor = Object.getOwnPropertyDescriptor(Failures.prototype, name) ?? {};
  for (const decorate of [Get(`failures/${name}`), Public(), RespondsJson(ANY)]) {
    decorate(Failures.prototype, name, descriptor);
  }
}
export const FailuresController = Failures;

const NONSENSE = statement('probe.nonsense', 'SELECT 1 AS secret_column secret_table');
const ONE = statement('probe.one', 'SELECT 1 AS one');
const ENDED = statement('probe.ended', 'SELECT pg_terminate_backend(pg_backend_pid())');
const SLOW = statement('probe.slow', 'SELECT pg_sleep(60)');

// A row of a user that does not exist.
const ORPHAN = statement(
  'probe.orphan',
  `INSERT INTO passwords (user_id, hash) VALUES (4711, '${SECRET}')`,
);
// A picture that is in use.
const USED = statement(
  'probe.used',
  `WITH added AS (INSERT INTO pictures (hash, extension, width, height, bytes)
     VALUES (decode('00', 'hex'), 'png', 1, 1, 1))
   INSERT INTO picture_uses (subject, subject_id, number, hash, private)
   VALUES ('note', 1, 1, decode('00', 'hex'), false)`,
);
const REMOVE_USED = statement('probe.remove_used', 'DELETE FROM pictures');

/** Endpoints that fail in the database. */
@Controller('v2/probe')
export class DatabaseController {
  constructor(private readonly database: Database) {}

  @Get('one')
  @Public()
  @RespondsJson(ANY)
  async one() {
    return (await this.database.query(ONE))[0];
  }

  @Get('transaction')
  @Public()
  @RespondsJson(ANY)
  transaction() {
    return this.database.transaction(async (runner) => (await runner.query(ONE))[0]);
  }

  @Get('nonsense')
  @Public()
  @RespondsJson(ANY)
  nonsense() {
    return this.database.query(NONSENSE);
  }

  @Get('ended')
  @Public()
  @RespondsJson(ANY)
  ended() {
    return this.database.query(ENDED);
  }

  @Get('slow')
  @Public()
  @RespondsJson(ANY)
  slow() {
    return this.database.query(SLOW);
  }

  @Get('orphan')
  @Public()
  @RespondsJson(ANY)
  orphan() {
    return this.database.transaction((runner) => runner.query(ORPHAN));
  }

  @Get('used')
  @Public()
  @RespondsJson(ANY)
  used() {
    return this.database.transaction(async (runner) => {
      await runner.query(USED);
      return runner.query(REMOVE_USED);
    });
  }

  @Get('unwritable')
  @Public()
  @Responds(Broken)
  unwritable() {
    return {};
  }
}

/** Headers of a representation that is not sent. */
export const UNSENT: Readonly<Record<string, string>> = {
  etag: '"a"',
  'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'cache-control': 'public, max-age=60',
  expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
  'accept-ranges': 'bytes',
  'content-range': 'bytes 0-1/2',
  'content-encoding': 'gzip',
  'content-disposition': 'attachment; filename="a"',
};

/** An endpoint that fails after it has set headers. */
@Controller('v2/probe')
export class UnsentController {
  @Get('unsent')
  @Public()
  @RespondsJson(ANY)
  unsent(@Res({ passthrough: true }) response: Response) {
    for (const [name, value] of Object.entries(UNSENT)) response.setHeader(name, value);
    throw malformed('too late');
  }
}

/** Endpoints that refuse, and one path with several methods. */
@Controller('v2/probe')
export class RefusalsController {
  @Get('chinese')
  @RequireScope('book_basic_r')
  @RespondsJson(ANY)
  chinese() {
    throw malformed('没有这样的城市：\u{1f3d9} "北京"\r\nSet-Cookie: a=b');
  }

  @Get('bare')
  @RequireScope('book_basic_r')
  @RespondsJson(ANY)
  bare() {
    throw new ApiError('bookNotFound');
  }

  @Get('nest')
  @RequireScope('book_basic_r')
  @RespondsJson(ANY)
  nest() {
    throw new NotFoundException(SECRET);
  }

  @Get('several')
  @RequireScope('book_basic_r')
  @RespondsJson(ANY)
  read() {
    return {};
  }

  @Post('several')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY)
  create() {
    return {};
  }

  @Put('several')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY)
  change() {
    return {};
  }
}
