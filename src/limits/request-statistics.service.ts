import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { errorText } from '../api/errors/error-text';
import { Observers, type RequestObserver } from '../api/http/observer';
import { type RequestContext } from '../api/http/request-context';
import { type Route } from '../api/routing/route-table';
import { Database } from '../database/database';
import { BufferedWriter } from './buffered-writer';
import { ADD_FAILURES, ADD_REQUESTS, MAX_FAILURES } from './request-statistics.sql';

/**
 * Maximum number of buffered groups of requests. Beyond it, requests of further applications count
 * without their application.
 */
const MAX_GROUPS = 10_000;
/** Maximum number of applications whose failures are buffered. */
const MAX_APPLICATIONS_WITH_FAILURES = 200;
/** Maximum length of a stored detail in characters. */
const MAX_DETAIL_LENGTH = 300;
/** The first status that is a failure. */
const FAILURE = 400;
/** Application of requests without one. */
const NONE = 0;

/** Requests of an application to a route with the same outcome. */
interface Group {
  readonly status: number;
  readonly refusedBy: string;
  requests: number;
  milliseconds: number;
  maxMilliseconds: number;
}

/** Groups by application; the few groups of a route and an application are searched in turn. */
type GroupsOfRoute = Map<number, Group[]>;

interface Failure {
  readonly application: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  readonly code: number;
  readonly detail: string;
}

/** Method and path with parameters as `:name`: never the path of a request. */
const operationOf = (route: Route | undefined): string =>
  route ? `${route.method} ${route.path}` : '*';

/**
 * Counts all requests by operation, status and limit that refused them, and keeps the latest
 * failed requests of each application (D170). Each request increments a number in memory; one
 * statement writes all counts of some seconds.
 */
@Injectable()
export class RequestStatisticsService
  extends BufferedWriter
  implements RequestObserver, OnModuleInit
{
  private readonly logger = new Logger(RequestStatisticsService.name);
  private groups = new Map<Route | undefined, GroupsOfRoute>();
  private size = 0;
  private failures = new Map<number, Failure[]>();
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly observers: Observers,
  ) {
    super();
  }

  onModuleInit(): void {
    this.observers.add(this);
  }

  /** Every request passes here: it must stay cheap. */
  finished(context: RequestContext, status: number, seconds: number): void {
    const { route, refusal } = context;
    const application = context.caller.application?.id ?? context.client ?? refusal?.client ?? NONE;
    const refusedBy = context.limits?.refusedBy?.name ?? '';
    const group = this.groupOf(route, application, status, refusedBy);
    const milliseconds = seconds * 1000;
    group.requests += 1;
    group.milliseconds += milliseconds;
    if (milliseconds > group.maxMilliseconds) group.maxMilliseconds = milliseconds;
    if (status >= FAILURE && application !== NONE) this.keepFailure(application, context, status);
    this.schedule();
  }

  private groupOf(
    route: Route | undefined,
    application: number,
    status: number,
    refusedBy: string,
  ): Group {
    let ofRoute = this.groups.get(route);
    if (!ofRoute) this.groups.set(route, (ofRoute = new Map<number, Group[]>()));
    let groups = ofRoute.get(application);
    if (!groups && application !== NONE && this.size >= MAX_GROUPS)
      return this.groupOf(route, NONE, status, refusedBy);
    if (!groups) ofRoute.set(application, (groups = []));
    for (const group of groups)
      if (group.status === status && group.refusedBy === refusedBy) return group;
    this.size += 1;
    const added = { status, refusedBy, requests: 0, milliseconds: 0, maxMilliseconds: 0 };
    groups.push(added);
    return added;
  }

  private keepFailure(application: number, context: RequestContext, status: number): void {
    let failures = this.failures.get(application);
    if (!failures) {
      if (this.failures.size >= MAX_APPLICATIONS_WITH_FAILURES) return;
      this.failures.set(application, (failures = []));
    }
    if (failures.length >= MAX_FAILURES) failures.shift();
    failures.push({
      application,
      at: Date.now(),
      requestId: context.id,
      operation: operationOf(context.route),
      status,
      code: context.refusal?.row.code ?? 0,
      detail: (context.refusal?.detail ?? '').slice(0, MAX_DETAIL_LENGTH),
    });
  }

  /** Counts that cannot be written are added to the next ones; failures are lost then. */
  protected override async write(): Promise<void> {
    const { groups, failures } = this;
    this.groups = new Map();
    this.size = 0;
    this.failures = new Map();
    if (groups.size === 0) return;
    try {
      await this.database.query(ADD_REQUESTS, groupColumns(groups));
    } catch (error) {
      this.addAgain(groups);
      this.complain(error);
      return;
    }
    this.failing = false;
    const failed = [...failures.values()].flat();
    if (failed.length === 0) return;
    await this.database.query(ADD_FAILURES, failureColumns(failed)).catch((error: unknown) => {
      this.complain(error);
    });
  }

  private addAgain(all: ReadonlyMap<Route | undefined, GroupsOfRoute>): void {
    for (const [route, ofRoute] of all)
      for (const [application, groups] of ofRoute)
        for (const group of groups) {
          const now = this.groupOf(route, application, group.status, group.refusedBy);
          now.requests += group.requests;
          now.milliseconds += group.milliseconds;
          now.maxMilliseconds = Math.max(now.maxMilliseconds, group.maxMilliseconds);
        }
    this.schedule();
  }

  /** Logs a failure once, not every few seconds. */
  private complain(error: unknown): void {
    if (!this.failing)
      this.logger.warn(`cannot store the statistics of requests: ${errorText(error)}`);
    this.failing = true;
  }
}

function groupColumns(all: ReadonlyMap<Route | undefined, GroupsOfRoute>): unknown[] {
  const columns: unknown[][] = [[], [], [], [], [], [], []];
  for (const [route, ofRoute] of all)
    for (const [application, groups] of ofRoute)
      for (const group of groups)
        [
          application,
          operationOf(route),
          group.status,
          group.refusedBy,
          group.requests,
          group.milliseconds,
          group.maxMilliseconds,
        ].forEach((value, at) => columns[at]?.push(value));
  return columns;
}

const failureColumns = (all: readonly Failure[]): unknown[] => [
  all.map(({ application }) => application),
  all.map(({ at }) => at / 1000),
  all.map(({ requestId }) => requestId),
  all.map(({ operation }) => operation),
  all.map(({ status }) => status),
  all.map(({ code }) => code),
  all.map(({ detail }) => detail),
];
