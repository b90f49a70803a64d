import { Injectable } from '@nestjs/common';

/** What time it is, for rules that depend on it; tests set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
