import { Inject, Injectable, Optional } from '@nestjs/common';
import { type RequestContext } from './request-context';

/** Observes finished requests; the metrics module provides one. */
export abstract class RequestObserver {
  /**
   * Called once for every request, also when its client has left.
   *
   * @param status of the response
   * @param seconds since the request's headers were read
   */
  abstract finished(context: RequestContext, status: number, seconds: number): void;
}

/** The registered observers of finished requests. */
@Injectable()
export class Observers {
  constructor(@Optional() @Inject(RequestObserver) readonly observer?: RequestObserver) {}
}
