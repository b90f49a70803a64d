import { unavailable } from '../api/errors/error-codes';
import { type Channel } from '../workers/channel';
import {
  type Count,
  type Counted,
  type Counters,
  type ConsumeResult,
  type Refunded,
} from './counters';

const TOPICS = ['consume', 'read', 'refund', 'clear'] as const;
type Topic = (typeof TOPICS)[number];

const topicOf = (topic: Topic): string => `counters.${topic}`;

/** Counters as a list of their members: names would be most of a message. */
type Packed = (string | number)[];

/** Of a counter without `left`. */
const NO_END = -1;

const pack = (counters: readonly Refunded[]): Packed =>
  counters.flatMap(({ key, limit, window, left = NO_END }) => [key, limit, window, left]);

function unpack(packed: Packed): Refunded[] {
  const counters: Refunded[] = [];
  for (let at = 0; at < packed.length; at += 4) {
    const [key, limit, window, left] = packed.slice(at, at + 4) as [string, number, number, number];
    counters.push({ key, limit, window, left: left === NO_END ? undefined : left });
  }
  return counters;
}

/**
 * Counts in the memory of the parent process, for a worker (`WORKERS`). The parent counts one
 * request after the other, so that limits are exact over all workers.
 */
export class ParentCounters implements Counters {
  constructor(private readonly channel: Channel) {}

  consume(counters: readonly Counted[]): Promise<ConsumeResult> {
    return this.request('consume', counters);
  }

  read(counters: readonly Counted[]): Promise<Count[]> {
    return this.request('read', counters);
  }

  refund(counters: readonly Refunded[]): Promise<void> {
    return this.request('refund', counters);
  }

  clear(counters: readonly Counted[]): Promise<void> {
    return this.request('clear', counters);
  }

  private async request<T>(topic: Topic, counters: readonly Counted[]): Promise<T> {
    try {
      return await this.channel.request<T>(topicOf(topic), pack(counters));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** Answers the {@link ParentCounters} of a worker; for the parent process. */
export function handleCounterRequests(channel: Channel, counters: Counters): void {
  for (const topic of TOPICS) {
    channel.handle(topicOf(topic), (packed) => counters[topic](unpack(packed as Packed)));
  }
}
