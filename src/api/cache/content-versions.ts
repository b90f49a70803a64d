import { type ContentKey } from './cache-rule';

/** Maximum number of keys whose last change is stored. */
const MAX_KEYS = 100_000;

/** The group of a key: the part before the first colon. */
const groupOf = (key: ContentKey): string => {
  const colon = key.indexOf(':');
  return colon < 0 ? key : key.slice(0, colon);
};

/** A key of two ids without the second one; undefined for other keys. */
function withoutSecondId(key: ContentKey): ContentKey | undefined {
  const second = key.indexOf(':', key.indexOf(':') + 1);
  return second < 0 ? undefined : key.slice(0, second);
}

/** The last change of content. */
interface Change {
  readonly version: number;
  /** Position in the write-ahead log, not before the change. */
  readonly position: number;
}

/**
 * When content changed last, in versions: each batch of changes has the next number. What was read
 * at a version is current while none of the keys that it depends on has changed since.
 */
export class ContentVersions {
  private version = 1;
  /** Older changes are not stored, so that anything read before this version may have changed. */
  private floor = 0;
  /** A replica that has not replayed this position may lack older changes. */
  private floorPosition = Infinity;
  /** By key, least recently changed first. */
  private readonly changes = new Map<ContentKey, Change>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** The version of content that is read from now on. */
  get current(): number {
    return this.version;
  }

  /**
   * Whether content that was read at a version has not changed since.
   *
   * @param position of the replica that it was read from: it must have replayed the last change of
   * each key. Undefined for the primary.
   */
  isCurrent(version: number, keys: readonly ContentKey[], position = Infinity): boolean {
    if (version < this.floor) return false;
    if (position !== Infinity && position < this.floorPosition) return false;
    return keys.every((key) => {
      const group = groupOf(key);
      return (
        follows(version, position, this.changes.get(key)) &&
        (group === key || follows(version, position, this.changes.get(group)))
      );
    });
  }

  /**
   * Records changes: content with these keys that was read before is not current any more.
   *
   * @param position in the write-ahead log, not before any of the changes
   */
  change(keys: readonly ContentKey[], position: number): void {
    const change = { version: this.version, position };
    for (const key of keys) {
      this.record(key, change);
      const outer = withoutSecondId(key);
      if (outer !== undefined) this.record(outer, change);
    }
    this.version += 1;
    for (const [key, changed] of this.changes) {
      if (this.changes.size <= this.maxKeys) break;
      this.changes.delete(key);
      this.floor = Math.max(this.floor, changed.version + 1);
      this.floorPosition = Math.max(this.floorPosition, changed.position);
    }
  }

  private record(key: ContentKey, change: Change): void {
    this.changes.delete(key);
    this.changes.set(key, change);
  }

  /** Records that anything may have changed. */
  changeAll(): void {
    this.floor = this.version + 1;
    this.version += 1;
    this.floorPosition = Infinity;
    this.changes.clear();
  }

  /** Records that all changes from now on are known. @param position as in {@link change} */
  resume(position: number): void {
    this.floorPosition = position;
  }
}

/** Whether content that was read at a version and a position contains a change. */
const follows = (version: number, position: number, change: Change | undefined): boolean =>
  !change || (version > change.version && position >= change.position);
