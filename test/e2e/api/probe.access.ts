import { Controller, Delete, Get, Post } from '@nestjs/common';
import { type Caller } from '../../../src/api/access';
import { Calling, Login, Public, RespondsJson, Scopes } from '../../../src/api/route';

const WHO = { type: 'object' };
const who = ({ application, user, hasToken }: Caller) => ({
  application: application?.clientId ?? null,
  user: user?.id ?? null,
  hasToken,
});

/** An endpoint for each kind of access; each answers with who called. */
@Controller('v2/probe')
export class AccessController {
  @Get('book')
  @Scopes('book_basic_r')
  @RespondsJson(WHO)
  book(@Calling() caller: Caller) {
    return who(caller);
  }

  @Post('book')
  @Scopes('book_basic_r')
  @RespondsJson(WHO)
  bookPost(@Calling() caller: Caller) {
    return who(caller);
  }

  @Get('event')
  @Scopes('event_basic_r')
  @RespondsJson(WHO)
  event(@Calling() caller: Caller) {
    return who(caller);
  }

  @Get('movie')
  @Scopes('movie_basic_r')
  @RespondsJson(WHO)
  movie(@Calling() caller: Caller) {
    return who(caller);
  }

  @Get('common')
  @Scopes('service_basic_common')
  @RespondsJson(WHO)
  common(@Calling() caller: Caller) {
    return who(caller);
  }

  @Get('note')
  @Scopes('community_basic_note')
  @Login()
  @RespondsJson(WHO)
  note(@Calling() caller: Caller) {
    return who(caller);
  }

  @Post('write')
  @Scopes('book_basic_w')
  @Login()
  @RespondsJson(WHO, { status: 201 })
  write(@Calling() caller: Caller) {
    return who(caller);
  }

  @Delete('write')
  @Scopes('event_basic_w')
  @RespondsJson(WHO)
  remove(@Calling() caller: Caller) {
    return who(caller);
  }

  @Get('open')
  @Public()
  @RespondsJson(WHO)
  open(@Calling() caller: Caller) {
    return who(caller);
  }
}
