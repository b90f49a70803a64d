import { type ContentKey } from './cache-rule';

/** Maximum number of keys whose last change is stored. */
const MAX_KEYS = 100_000;

/** The group of a key: the part before the first colon. */
const groupOf = (key: ContentKey): string => {
  const colon = key.indexOf(':');
  return colon < 0 ? key : key.slice(0, colon);
};

/**
 * When content changed last, in versions: each batch of changes has the next number. What was read
 * at a version is current while none of the keys that it depends on has changed since.
 */
export class ContentVersions {
  private version = 1;
  /** Older changes are not stored, so that anything read before this version may have changed. */
  private floor = 0;
  /** By key, least recently changed first. */
  private readonly changedAt = new Map<ContentKey, number>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** The version of content that is read from now on. */
  get current(): number {
    return this.version;
  }

  /** Whether content that was read at a version has not changed since. */
  isCurrent(version: number, keys: readonly ContentKey[]): boolean {
    if (version < this.floor) return false;
    return keys.every((key) => {
      const changed = this.changedAt.get(key) ?? 0;
      const group = groupOf(key);
      const groupChanged = group === key ? 0 : (this.changedAt.get(group) ?? 0);
      return version > changed && version > groupChanged;
    });
  }

  /** Records changes: content with these keys that was read before is not current any more. */
  change(keys: readonly ContentKey[]): void {
    for (const key of keys) {
      this.changedAt.delete(key);
      this.changedAt.set(key, this.version);
    }
    this.version += 1;
    for (const [key, changed] of this.changedAt) {
      if (this.changedAt.size <= this.maxKeys) break;
      this.changedAt.delete(key);
      this.floor = Math.max(this.floor, changed + 1);
    }
  }

  /** Records that anything may have changed. */
  changeAll(): void {
    this.floor = this.version + 1;
    this.version += 1;
    this.changedAt.clear();
  }
}
