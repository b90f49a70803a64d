import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { OwnWrites } from '../api/consistency/own-writes';
import { Overloaded } from '../api/errors/error-codes';
import { detached } from '../api/http/current-request';
import { type RequestContext } from '../api/http/request-context';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import {
  decodePosition,
  encodePosition,
  parsePosition,
  type TimelinePosition,
} from '../database/replicas/log-position';
import { POSITION, TIMELINE } from '../database/replicas/server-monitor';
import { parentChannel } from '../workers/worker';
import { ParentWriteMarks } from './parent-write-marks';
import { RedisWriteMarks } from './redis-write-marks';
import { MAX_OUTAGE_MS, MemoryWriteMarks, type WriteMark, type WriteMarks } from './write-marks';

/** Milliseconds within which other processes learn of changes. */
const VISIBLE_MS = 100;

/** Milliseconds after a write during which its caller's reads bypass responses in memory. */
const UNSEEN_MS = 5 * VISIBLE_MS;

const CURRENT = statement(
  'consistency.position',
  `SELECT ${POSITION} AS position, ${TIMELINE} AS timeline`,
);

interface Current {
  readonly position: string;
  /** Null on a standby. */
  readonly timeline: string | null;
}

/** For processes without replicas, which do not compare positions. */
const NO_POSITION: TimelinePosition = { timeline: 0, position: 0 };

/** Reads of requests whose caller may have written anything. */
const UNKNOWN = { minPosition: Infinity, bypassesMemory: true } as const;

/**
 * Remembers where the last write of each user ends in the write-ahead log: in Redis for all
 * processes, in the parent process for workers, otherwise in this process.
 */
@Injectable()
export class OwnWritesService extends OwnWrites implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(OwnWritesService.name);
  private readonly marks: WriteMarks | undefined;
  private readonly redis: RedisWriteMarks | undefined;
  private readonly hasReplicas: boolean;

  constructor(
    private readonly database: Database,
    settings: Settings,
  ) {
    super();
    const { REDIS_URL, CACHE_MB, REPLICA_MAX_LAG_MS } = settings;
    this.hasReplicas = database.replicas?.hasReplicas === true;
    const channel = parentChannel();
    const isShared = channel !== undefined || REDIS_URL !== undefined;
    // A single process without replicas reads its own writes in any case.
    if (!this.hasReplicas && !(isShared && CACHE_MB > 0)) return;
    this.redis = REDIS_URL ? new RedisWriteMarks(REDIS_URL, REPLICA_MAX_LAG_MS) : undefined;
    this.marks =
      this.redis ??
      (channel ? new ParentWriteMarks(channel) : new MemoryWriteMarks(REPLICA_MAX_LAG_MS));
  }

  async onModuleInit(): Promise<void> {
    await this.redis?.open();
    if (this.hasReplicas && !this.redis) {
      this.logger.warn(
        'DATABASE_REPLICA_URLS without REDIS_URL: only one server may use this database, because ' +
          'other servers do not know which data a caller has written',
      );
    }
  }

  onModuleDestroy(): void {
    this.redis?.close();
  }

  override prepare(context: RequestContext): Promise<void> | undefined {
    if (!this.marks) return undefined;
    const { user } = context.caller;
    if (!user) {
      // Nobody writes without a user.
      context.reads = { minPosition: 0, bypassesMemory: false };
      return undefined;
    }
    context.reads = UNKNOWN;
    return this.marks.find(callerOf(user.id)).then(
      (mark) => {
        context.reads = {
          minPosition: mark ? this.requiredPosition(mark) : this.positionWithoutMark,
          bypassesMemory: mark !== undefined && mark.ageMs < UNSEEN_MS,
        };
      },
      // Without a response the request reads from the primary.
      () => undefined,
    );
  }

  override remember(context: RequestContext): Promise<void> | undefined {
    const userId = context.writer ?? context.caller.user?.id;
    if (!this.marks || userId === undefined) return undefined;
    return this.rememberAt(this.marks, callerOf(userId));
  }

  private async rememberAt(marks: WriteMarks, caller: string): Promise<void> {
    let current = NO_POSITION;
    try {
      if (this.hasReplicas) current = await this.currentPosition();
      await marks.set(caller, encodePosition(current));
    } catch {
      // Other processes cannot learn of the write, so it must be on each replica that they use, and
      // known to their responses in memory.
      await Promise.all([
        this.hasReplicas && this.database.replicas?.replayed(current.position || Infinity),
        pause(VISIBLE_MS),
      ]);
    }
  }

  /** After `MAX_OUTAGE_MS` without a primary, a mark may have expired although no replica has its write. */
  private get positionWithoutMark(): number {
    const { msSincePrimaryResponse = 0 } = this.database.replicas ?? {};
    return msSincePrimaryResponse < MAX_OUTAGE_MS ? 0 : Infinity;
  }

  private requiredPosition({ position }: WriteMark): number {
    return this.database.replicas?.requiredPosition(decodePosition(position)) ?? 0;
  }

  /**
   * Where the log of the primary ends. If it cannot be read, a position that no replica reaches: reads
   * of the caller use the primary until a promotion, or until the mark expires.
   * @throws Overloaded
   */
  private async currentPosition(): Promise<TimelinePosition> {
    try {
      // In its own right: the client may have left, and the request has its result already.
      const [row] = await detached(() => this.database.query<Current>(CURRENT));
      if (row?.timeline)
        return { timeline: parseInt(row.timeline, 16), position: parsePosition(row.position) };
    } catch (error) {
      if (error instanceof Overloaded) throw error;
      // The primary is unavailable, so the position of the write is unknown.
    }
    return this.database.replicas?.unknownPosition ?? NO_POSITION;
  }
}

const callerOf = (userId: number): string => `user:${userId}`;
