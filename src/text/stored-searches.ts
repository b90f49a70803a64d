import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { errorText } from '../api/errors/error-text';
import { currentRequest, detached } from '../api/http/current-request';
import { copyString } from '../api/http/copy-string';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, type Statement } from '../database/database';
import { toPage, type PageRow } from '../database/page-of';
import { type Wanted } from './search';
import { LOCK_STORED_SHARED } from './stored-search-pruning';
import { MAX_STORED_HITS, type StoredState, type StoringStatements } from './stored-search-sql';

/** Hits from which on a search is stored: by words, fewer take less than a few milliseconds. */
const MIN_TOTAL = 500;
/** Milliseconds from which on a search with a tag is stored: with few hits, it may read many rows. */
const MIN_DURATION = 20;
/** Longer queries and tags have few hits, and would not fit into the index of stored searches. */
const MAX_PHRASE = 100;
/** Stored searches that a process remembers. */
const MAX_KNOWN = 10_000;
/** Searches that wait to be stored. A further one is stored when it is requested again. */
const MAX_WAITING = 50;
/** Those of one address. */
const MAX_WAITING_PER_ADDRESS = 10;

/** A search and its two statements, which have the same parameters. */
export interface StorableSearch {
  readonly storing: StoringStatements;
  readonly wanted: Wanted;
  readonly page: PageQuery;
  /** Parameters of both statements. */
  readonly values: readonly unknown[];
  /** Evaluates the search. */
  readonly evaluate: Statement;
  /** Reads the stored search: {@link import('./stored-search-sql').storedPage}. */
  readonly read: Statement;
}

const partsOf = ({ by, values }: Wanted): { readonly phrase: string; readonly tag: string } => ({
  phrase: by === 'tag' ? '' : String(values[0]),
  tag: by === 'q' ? '' : String(values.at(-1)),
});

interface Waiting {
  /** Limit key of the address that searched first; undefined for background work. */
  readonly address: string | undefined;
  readonly storing: StoringStatements;
  readonly values: readonly unknown[];
}

/**
 * Searches that many rows match are stored with their total and first hits, because
 * counting and sorting all hits takes long. A search reads the stored one, and applies the changes
 * since in the same statement, so that page and total are exact. It is stored or refreshed in the
 * background after a request that found it missing or outdated.
 */
@Injectable()
export class StoredSearches implements OnModuleDestroy {
  private readonly logger = new Logger(StoredSearches.name);
  /** Only a hint: whether a search is stored and usable is in the database. */
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });
  private readonly waiting = new Map<string, Waiting>();
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly database: Database) {}

  /** A page of a search, from the stored search where it is usable. */
  async search<Row extends PageRow>(search: StorableSearch): Promise<Page<Row>> {
    const { storing, wanted, page, values, evaluate, read } = search;
    const { phrase, tag } = partsOf(wanted);
    const storable = phrase.length + tag.length <= MAX_PHRASE;
    const key = `${storing.store.name} ${phrase}\n${tag}`;
    if (storable && this.known.has(key)) {
      const rows = await this.database.query<Row & StoredState>(read, values);
      const state = rows[0];
      if (state === undefined || state.outdated) this.enqueue(key, search);
      if (state?.usable === true) return toPage(rows, page.start);
    }
    const since = performance.now();
    // Every request evaluates a page that is not stored.
    const use = storable && page.start + page.count <= MAX_STORED_HITS ? undefined : 'unstored';
    const found = toPage(await this.database.query<Row>(evaluate, values, use), page.start);
    const isExpensive =
      found.total >= MIN_TOTAL || (tag !== '' && performance.now() - since >= MIN_DURATION);
    if (storable && isExpensive && !this.known.has(key)) {
      const ownKey = copyString(key);
      this.known.set(ownKey, true);
      this.enqueue(ownKey, search);
    }
    return found;
  }

  private enqueue(key: string, { storing, wanted: { values } }: StorableSearch): void {
    if (this.stopped || this.waiting.has(key)) return;
    const address = currentRequest()?.addressKey;
    if (this.waiting.size >= MAX_WAITING || this.countWaiting(address) >= MAX_WAITING_PER_ADDRESS)
      return;
    this.waiting.set(key, { address, storing, values });
    this.start();
  }

  private start(): void {
    this.running ??= detached(() => this.storeWaiting()).finally(() => {
      this.running = undefined;
      // A search may have come after the last one was stored.
      if (this.waiting.size > 0 && !this.stopped) this.start();
    });
  }

  /** Number of searches of an address that wait. */
  private countWaiting(address: string | undefined): number {
    if (address === undefined) return 0;
    return [...this.waiting.values()].filter((one) => one.address === address).length;
  }

  /** Waits until all waiting searches are stored. */
  async settled(): Promise<void> {
    await this.running;
  }

  // One at a time: requests come first.
  private async storeWaiting(): Promise<void> {
    for (;;) {
      const [next] = this.waiting;
      if (next === undefined || this.stopped) return;
      const [key, { storing, values }] = next;
      try {
        await this.store(storing, values);
      } catch (error) {
        // For example, the server is read-only. The search is evaluated as before.
        this.known.delete(key);
        this.logger.debug(`cannot store a search: ${errorText(error)}`);
      }
      this.waiting.delete(key);
    }
  }

  private async store(
    { refresh, store }: StoringStatements,
    values: readonly unknown[],
  ): Promise<void> {
    await this.database.transaction(async (executor) => {
      // Before the snapshot of the next statement is taken.
      await executor.query(LOCK_STORED_SHARED);
      const refreshed = await executor.query(refresh, values);
      if (refreshed.length === 0) await executor.query(store, values);
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.running;
  }
}
