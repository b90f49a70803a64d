import { Inject, Injectable, Optional } from '@nestjs/common';
import { type RequestContext } from './request-context';

/** Observes finished requests; the metrics module and the limits module have one. */
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
  /** In the order of their registration. */
  readonly all: RequestObserver[] = [];

  constructor(@Optional() @Inject(RequestObserver) observer?: RequestObserver) {
    if (observer) this.add(observer);
  }

  /** Later requests are reported to the observer, too. */
  add(observer: RequestObserver): void {
    this.all.push(observer);
  }
}
