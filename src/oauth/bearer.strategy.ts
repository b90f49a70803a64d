import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { type Caller } from '../api/access/access';
import { CallersService } from './callers.service';

/**
 * Bearer tokens through passport, only from the `Authorization` header (D13): the library would
 * also read query and body, and tokens there end up in logs.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly callers: CallersService) {
    super({ realm: 'commonplace' });
  }

  override authenticate(request: Request): void {
    // One space or more may follow the scheme (RFC 9110, section 11.4).
    const authorization = request.headers.authorization?.trim().replace(/\s+/g, ' ');
    super.authenticate({ headers: { authorization } } as Request);
  }

  validate(token: string): Promise<Caller> {
    return this.callers.byToken(token);
  }
}
