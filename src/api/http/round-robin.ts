/** Items of several clients, which take turns: one item of each, in the order of their arrival. */
export class RoundRobin<T> {
  /** Items by client, in the order of the clients' turns. A client without items has no entry. */
  private queues = new Map<string, T[]>();
  private count = 0;

  /** Number of items. */
  get length(): number {
    return this.count;
  }

  /** Adds an item. A client without items has its turn after all others. */
  push(client: string, item: T): void {
    this.append(client, item);
    this.count += 1;
  }

  /** Adds items before all others, in their order. */
  putBack(items: readonly (readonly [client: string, item: T])[]): void {
    if (items.length === 0) return;
    const later = this.queues;
    this.queues = new Map();
    this.count += items.length;
    for (const [client, item] of items) this.append(client, item);
    for (const [client, queue] of later) {
      const before = this.queues.get(client);
      if (before) for (const item of queue) before.push(item);
      else this.queues.set(client, queue);
    }
  }

  private append(client: string, item: T): void {
    const queue = this.queues.get(client);
    if (queue) queue.push(item);
    else this.queues.set(client, [item]);
  }

  /**
   * Removes the next item.
   * @param isEnded whether an item needs no turn any more; it is removed, too
   */
  shift(isEnded: (item: T) => boolean = () => false): T | undefined {
    for (const [client, queue] of this.queues) {
      const next = queue.findIndex((item) => !isEnded(item));
      const removed = queue.splice(0, next < 0 ? queue.length : next + 1);
      this.count -= removed.length;
      this.queues.delete(client);
      if (queue.length > 0) this.queues.set(client, queue);
      if (next >= 0) return removed.at(-1);
    }
    return undefined;
  }

  /** Removes the latest items of the clients with most, so that no more than `max` remain. */
  removeExcess(max: number): T[] {
    if (this.count <= max) return [];
    const queues = [...this.queues].sort(([, one], [, other]) => one.length - other.length);
    const removed: T[] = [];
    let left = max;
    queues.forEach(([client, queue], at) => {
      // Those with fewer items leave the rest of their part to the others.
      const part = Math.ceil(left / (queues.length - at));
      removed.push(...queue.splice(part));
      left -= queue.length;
      if (queue.length === 0) this.queues.delete(client);
    });
    this.count -= removed.length;
    return removed;
  }
}
