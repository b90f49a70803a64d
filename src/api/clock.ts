import { Injectable } from '@nestjs/common';

/** The current time for rules that depend on it; tests replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
