import { type ExecutionContext, type Type } from '@nestjs/common';
import { type HttpArgumentsHost } from '@nestjs/common/interfaces';
import { type Response } from 'express';
import { type ApiRequest } from '../http/request-context';
import { type PathValues } from '../cache/cache-rule';
import { type Match, type ReadRoute } from './read-routes';

/** The execution context of a request in the fast lane, for guards, parameters and the filter. */
export class LaneExecution implements ExecutionContext, HttpArgumentsHost {
  readonly read: ReadRoute;
  readonly params: PathValues;

  constructor(
    readonly request: ApiRequest,
    readonly response: Response,
    { read, params }: Match,
  ) {
    this.read = read;
    this.params = params;
  }

  getClass<T>(): Type<T> {
    return this.read.type as Type<T>;
  }

  getHandler(): ReadRoute['handler'] {
    return this.read.handler;
  }

  getType<T extends string>(): T {
    return 'http' as T;
  }

  getArgs<T extends unknown[]>(): T {
    return [this.request, this.response, undefined] as unknown as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }

  switchToHttp(): HttpArgumentsHost {
    return this;
  }

  getRequest<T>(): T {
    return this.request as unknown as T;
  }

  getResponse<T>(): T {
    return this.response as unknown as T;
  }

  getNext<T>(): T {
    return undefined as T;
  }

  /** @throws Error always: the service has no RPC */
  switchToRpc(): never {
    throw new Error('a request over HTTP has no RPC context');
  }

  /** @throws Error always: the service has no WebSockets */
  switchToWs(): never {
    throw new Error('a request over HTTP has no WebSocket context');
  }
}
