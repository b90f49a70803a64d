import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/settings';
import { copyString } from '../http/copy-string';
import { type ContentKey } from './cache-rule';
import { ContentVersions } from './content-versions';
import { type StoredResponse } from './stored-response';

/**
 * Milliseconds after which content counts as unknown: a change of another process is visible within
 * 100 ms, and the request that reads it takes some of them.
 */
const LEASE_MS = 80;

/** Bytes of an entry that has no body, without its strings. */
const MARK_BYTES = 300;

/** Bytes of a string and of a reference to it, without its characters. */
const STRING_BYTES = 32;

/** Largest share of the memory that one response may take. */
const MAX_SHARE = 16;

const MB = 1_048_576;

/** Tells which content has changed. Implemented by the database layer. */
export interface ChangeFeed {
  /** Whether it reads changes at present. It stops when nobody asks for a while. */
  readonly isReading: boolean;
  /** Whether it knows all changes of this process, which needs no reading. */
  readonly knowsOwnChanges: boolean;
  /** Reads the changes that were committed before the call. @returns whether it succeeded */
  read(): Promise<boolean>;
  /** Keeps reading for a while; call it at every use. */
  keepReading(): void;
}

/** Bytes of the strings of an entry: the content keys of a list take more than a small body. */
function stringBytes(key: string, keys: readonly ContentKey[]): number {
  // A key can have any characters, content keys have none beyond Latin-1.
  let bytes = 2 * key.length;
  for (const each of keys) bytes += STRING_BYTES + each.length;
  return bytes;
}

/** Responses that were read at a version. */
interface Entry {
  readonly keys: readonly ContentKey[];
  readonly version: number;
  /** Undefined for a mark: only the fact is stored. */
  readonly response?: StoredResponse;
  /** When it ends even without a change, by `performance.now()`. */
  readonly until?: number;
}

/**
 * Responses in memory (`CACHE_MB`). It answers only while it knows all changes: changes of this
 * process before they are acknowledged, and those of other processes within 100 ms.
 */
@Injectable()
export class ResponseCache {
  private readonly versions = new ContentVersions();
  private readonly entries: LRUCache<string, Entry> | undefined;
  private feed: ChangeFeed | undefined;
  private trustedUntil = 0;
  /** A reading that began earlier may have missed a change of this process. */
  private notBefore = 0;
  private hitCount = 0;
  private missCount = 0;

  constructor({ CACHE_MB }: Settings) {
    if (CACHE_MB === 0) return;
    const maxSize = CACHE_MB * MB;
    this.entries = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / MAX_SHARE) });
  }

  get isEnabled(): boolean {
    return this.entries !== undefined;
  }

  /** Numbers of lookups since the process started, and bytes in use. */
  get statistics(): { readonly hits: number; readonly misses: number; readonly bytes: number } {
    const bytes = this.entries?.calculatedSize ?? 0;
    return { hits: this.hitCount, misses: this.missCount, bytes };
  }

  connect(feed: ChangeFeed): void {
    if (this.isEnabled) this.feed = feed;
  }

  /** The version to store what is read from now on with. */
  get version(): number {
    return this.versions.current;
  }

  /** The current response of a key; undefined if it is not known to be current. */
  find(key: string): StoredResponse | undefined {
    const found = this.currentEntry(key)?.response;
    if (found) this.hitCount += 1;
    else this.missCount += 1;
    return found;
  }

  /** Whether a mark is set and current. */
  isMarked(key: string): boolean {
    return this.currentEntry(key) !== undefined;
  }

  private currentEntry(key: string): Entry | undefined {
    if (!this.feed || !this.entries) return undefined;
    this.feed.keepReading();
    const now = performance.now();
    if (now > this.trustedUntil) return undefined;
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const { until = Infinity } = entry;
    if (now < until && this.versions.isCurrent(entry.version, entry.keys)) return entry;
    this.entries.delete(key);
    return undefined;
  }

  /**
   * Stores a response.
   *
   * @param version when its reading began
   * @param position of the replica that it was read from; undefined for the primary
   * @param maxAge in milliseconds; without it only changes end it
   */
  store(
    key: string,
    response: StoredResponse,
    keys: readonly ContentKey[],
    version: number,
    position?: number,
    maxAge = Infinity,
  ): void {
    if (!this.feed || !this.versions.isCurrent(version, keys, position)) return;
    const { entries } = this;
    const until = performance.now() + maxAge;
    const strings = stringBytes(key, keys);
    const ownKey = copyString(key);
    const ownKeys = keys.map(copyString);
    const keep = (): void => {
      // A new object: the size of one that is in the cache would not change.
      const entry = { keys: ownKeys, version, response, until };
      entries?.set(ownKey, entry, { size: response.size + strings });
    };
    response.onGrowth = () => {
      if (entries?.peek(ownKey)?.response === response) keep();
    };
    keep();
  }

  /** Sets a mark. @param version when the fact was read @param position as in {@link store} */
  mark(key: string, keys: readonly ContentKey[], version: number, position?: number): void {
    if (!this.feed || !this.versions.isCurrent(version, keys, position)) return;
    const size = MARK_BYTES + stringBytes(key, keys);
    this.entries?.set(copyString(key), { keys: keys.map(copyString), version }, { size });
  }

  /**
   * Call it with changes, before {@link trust}.
   *
   * @param position in the write-ahead log, not before any of them
   */
  change(keys: readonly ContentKey[], position: number): void {
    this.versions.change(keys, position);
  }

  /** Call it after {@link changeAll}, when changes are known again. @param position as in {@link change} */
  resume(position: number): void {
    this.versions.resume(position);
  }

  /** Call it when changes may have been missed. */
  changeAll(): void {
    this.versions.changeAll();
    this.trustedUntil = 0;
  }

  /**
   * Call it when all changes until a time are known.
   *
   * @param since when the reading began, by `performance.now()`
   */
  trust(since: number): void {
    if (since >= this.notBefore) this.trustedUntil = since + LEASE_MS;
  }

  /**
   * Waits until the changes of this process so far are known; call it before a write is
   * acknowledged. If they cannot be read, nothing is answered from memory until they are.
   */
  async settle(): Promise<void> {
    if (!this.feed) return;
    const { isReading, knowsOwnChanges } = this.feed;
    if (isReading && (knowsOwnChanges || (await this.feed.read()))) return;
    this.notBefore = performance.now();
    this.trustedUntil = 0;
  }
}
