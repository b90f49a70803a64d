import { ApiError } from '../api/errors/error-codes';
import { ClientPresence } from '../api/http/client-presence';
import { currentRequest, onBehalfOf } from '../api/http/current-request';
import { type RequestContext } from '../api/http/request-context';
import { isSafe } from '../api/http/safe-methods';
import { type Database } from './database';
import { toDatabaseError } from './database-errors';
import { ClientLeft } from './pool-queue';
import { haveSameShare } from './pool-shares';
import { type Statement } from './statement';

/**
 * Number of keys of a statement. PostgreSQL plans a statement again and again if it was cheaper with
 * fewer keys than the general plan, which assumes 10; planning takes longer than reading a record.
 */
const KEYS = 16;

/** The position of a key in a statement with several, from 1. */
interface Positioned {
  readonly at: number;
}

interface Waiting<Row> {
  readonly values: readonly unknown[];
  readonly request: RequestContext;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads single records for concurrent requests with one statement: on a busy server, most of a
 * read's time is system calls and messages. Requests that arrive in the same turn of the event loop
 * and have the same share of the pool share a statement.
 */
export class BatchedRead<Row extends object> {
  private waiting: Waiting<Row>[] = [];
  private timer: NodeJS.Immediate | undefined;

  /**
   * @param one reads the record with a key; its parameters are the values of the key
   * @param many reads the records with several keys, with the position of each as `at`; its
   *   parameters are arrays of the values of the keys. A key of nulls has no record.
   */
  constructor(
    private readonly database: Database,
    private readonly one: Statement,
    private readonly many: Statement,
  ) {}

  /**
   * The record with a key.
   *
   * @throws ApiError 999 with 503 when the database is unavailable or busy (D5)
   */
  find(...values: readonly unknown[]): Promise<Row | undefined> {
    const request = currentRequest();
    // Each request may read from another replica.
    if (!request || !isSafe(request.method) || this.database.replicas) return this.findOne(values);
    const [first] = this.waiting;
    // One statement has one share of the pool.
    if (first && !haveSameShare(first.request, request)) return this.findOne(values);
    return new Promise((resolve, reject) => {
      this.waiting.push({ values, request, resolve, reject });
      if (this.waiting.length === KEYS) this.readWaiting();
      else if (!first) this.timer = setImmediate(this.readWaiting);
    });
  }

  private async findOne(values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.database.query<Row>(this.one, values))[0];
  }

  /** Without `onBehalfOf`, the statement would end when the client of another request leaves. */
  private readOne({ values, request, resolve, reject }: Waiting<Row>): void {
    onBehalfOf(request, () => this.findOne(values)).then(resolve, reject);
  }

  private readonly readWaiting = (): void => {
    clearImmediate(this.timer);
    // It keeps the context of the request that started it.
    this.timer = undefined;
    const batch: Waiting<Row>[] = [];
    for (const one of this.waiting) {
      if (one.request.presence.hasLeft)
        one.reject(toDatabaseError(new ClientLeft('the client left')));
      else batch.push(one);
    }
    this.waiting = [];
    const [first] = batch;
    if (first && batch.length === 1) this.readOne(first);
    else if (first) void this.readBatch(batch, first);
  };

  private async readBatch(batch: readonly Waiting<Row>[], first: Waiting<Row>): Promise<void> {
    const columns = first.values.map((_, column) =>
      Array.from({ length: KEYS }, (_, at) => batch[at]?.values[column] ?? null),
    );
    let rows: (Row & Positioned)[];
    try {
      const presence = presenceOfAll(batch);
      rows = await this.database.queryForMany<Row & Positioned>(this.many, columns, presence);
    } catch (error) {
      for (const one of batch) {
        // The record of one key may have caused it: the others are read.
        if (error instanceof ApiError) one.reject(error);
        else this.readOne(one);
      }
      return;
    }
    const found: (Row | undefined)[] = [];
    for (const row of rows) found[row.at] = row;
    batch.forEach(({ resolve }, at) => {
      resolve(found[at + 1]);
    });
  }
}

/** Clients leave together when the last one has left: until then, the statement is needed. */
function presenceOfAll(batch: readonly Pick<Waiting<unknown>, 'request'>[]): ClientPresence {
  const all = new ClientPresence();
  let present = batch.length;
  for (const { request } of batch) {
    request.presence.onLeave(() => {
      present -= 1;
      if (present === 0) all.leave();
    });
  }
  return all;
}
