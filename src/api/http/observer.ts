import { Inject, Injectable, Optional } from '@nestjs/common';
import { type RequestContext } from './request-context';

/** Looks at finished requests: what measures the service provides one. */
export abstract class RequestObserver {
  /**
   * Called once for every request, also for one whose caller went away.
   *
   * @param status of the answer
   * @param seconds since the request's headers were read
   */
  abstract finished(context: RequestContext, status: number, seconds: number): void;
}

/** Who looks at finished requests, when somebody does. */
@Injectable()
export class Observers {
  constructor(@Optional() @Inject(RequestObserver) readonly observer?: RequestObserver) {}
}
