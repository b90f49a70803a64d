import { Injectable } from '@nestjs/common';
import { type CounterName } from '../api/limits/limits';
import { Database } from '../database/database';
import { BY_HOUR, BY_LIMIT, BY_OPERATION, BY_STATUS, FAILURES } from './request-statistics.sql';

/** Requests of an application to an operation. */
export interface OperationUse {
  /** Method and path with parameters as `:name`; `*` for requests that reached no route. */
  readonly operation: string;
  /** All requests. */
  readonly requests: number;
  /** With a status of 400 or more, except those rejected by a limit. */
  readonly failed: number;
  /** Rejected by a limit. */
  readonly rejected: number;
}

/** Requests of an hour. */
export interface HourOfUse {
  /** Beginning of the hour in seconds since 1970. */
  readonly at: number;
  /** All requests. */
  readonly requests: number;
  /** Rejected by a limit. */
  readonly rejected: number;
}

/** Requests of an application in the last 30 days. */
export interface RequestReport {
  /** Oldest first; hours without requests are omitted. */
  readonly hours: readonly HourOfUse[];
  /** Most used first; at most 100. */
  readonly operations: readonly OperationUse[];
  readonly statuses: readonly { readonly status: number; readonly requests: number }[];
  /** By the counter that rejected them. */
  readonly limits: readonly { readonly refusedBy: CounterName; readonly requests: number }[];
}

/** A failed request of an application. */
export interface FailedRequest {
  readonly at: Date;
  readonly requestId: string;
  /** Method and path with parameters as `:name`; `*` for a request that reached no route. */
  readonly operation: string;
  readonly status: number;
  /** Error code; 0 for none. */
  readonly code: number;
  /** Empty for none. */
  readonly detail: string;
}

/** Reads what `RequestStatisticsService` has written. */
@Injectable()
export class RequestReportsRepository {
  constructor(private readonly database: Database) {}

  async findReport(applicationId: number): Promise<RequestReport> {
    const { database } = this;
    const id = [applicationId];
    const [hours, operations, statuses, limits] = await Promise.all([
      database.query<HourOfUse>(BY_HOUR, id),
      database.query<OperationUse>(BY_OPERATION, id),
      database.query<RequestReport['statuses'][number]>(BY_STATUS, id),
      database.query<RequestReport['limits'][number]>(BY_LIMIT, id),
    ]);
    return { hours, operations, statuses, limits };
  }

  /** The last 100 failed requests, newest first. */
  listFailures(applicationId: number): Promise<FailedRequest[]> {
    return this.database.query<FailedRequest>(FAILURES, [applicationId]);
  }
}
