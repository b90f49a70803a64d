import { Controller, Delete, Get, Post } from '@nestjs/common';
import { type Caller } from '../../../src/api/access/access';
import {
  CurrentCaller,
  RequireUser,
  Public,
  RespondsJson,
  RequireScope,
} from '../../../src/api/routing/route';

const WHO = { type: 'object' };
const who = ({ application, user, hasToken }: Caller) => ({
  application: application?.clientId ?? null,
  user: user?.id ?? null,
  hasToken,
});

/** An endpoint for each kind of access; each responds with its caller. */
@Controller('v2/probe')
export class AccessController {
  @Get('book')
  @RequireScope('book_basic_r')
  @RespondsJson(WHO)
  book(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Post('book')
  @RequireScope('book_basic_r')
  @RespondsJson(WHO)
  bookPost(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Get('event')
  @RequireScope('event_basic_r')
  @RespondsJson(WHO)
  event(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Get('movie')
  @RequireScope('movie_basic_r')
  @RespondsJson(WHO)
  movie(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Get('common')
  @RequireScope('service_basic_common')
  @RespondsJson(WHO)
  common(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Get('note')
  @RequireScope('community_basic_note')
  @RequireUser()
  @RespondsJson(WHO)
  note(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Post('write')
  @RequireScope('book_basic_w')
  @RequireUser()
  @RespondsJson(WHO, { status: 201 })
  write(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Delete('write')
  @RequireScope('event_basic_w')
  @RespondsJson(WHO)
  remove(@CurrentCaller() caller: Caller) {
    return who(caller);
  }

  @Get('open')
  @Public()
  @RespondsJson(WHO)
  open(@CurrentCaller() caller: Caller) {
    return who(caller);
  }
}
