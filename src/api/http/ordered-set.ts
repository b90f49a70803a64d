interface Link<T> {
  readonly member: T;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}

/**
 * A set in the order of insertion, which finds its oldest members in constant time. A `Set` first
 * skips the places of all members that were deleted since its last resize: with 66,000 members, it
 * takes 20 µs to find the oldest if new members replace the oldest.
 */
export class OrderedSet<T> implements Iterable<T> {
  private readonly links = new Map<T, Link<T>>();
  private first: Link<T> | undefined;
  private last: Link<T> | undefined;

  get size(): number {
    return this.links.size;
  }

  add(member: T): this {
    if (this.links.has(member)) return this;
    const link: Link<T> = { member, before: this.last, after: undefined };
    this.links.set(member, link);
    if (this.last) this.last.after = link;
    else this.first = link;
    this.last = link;
    return this;
  }

  /** @returns whether it was a member */
  delete(member: T): boolean {
    const link = this.links.get(member);
    if (!link) return false;
    this.links.delete(member);
    const { before, after } = link;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    return true;
  }

  /** The members, the oldest first. The set must not change meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.first; link; link = link.after) yield link.member;
  }
}
