import { type Runner } from '../../database/database';

/** What became of a record. */
export type Outcome = 'imported' | 'updated' | 'skipped';

/** Records of another kind that came inside a record. */
export interface Part {
  readonly kind: RecordHandler;
  readonly records: readonly unknown[];
}

/** The list response that a record stood in. */
export interface Around {
  /** Its members beside the lists: its parent, say. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The record's place in the list, from 0. */
  readonly at: number;
}

/**
 * A kind of thing that is imported and exported, in the service's own JSON shapes. What is read and
 * what is written are the same records, so that an export imports to the same.
 */
export interface RecordHandler<R = unknown> {
  /** Its name on the command line. */
  readonly name: string;
  /** Member of list responses that holds it. */
  readonly member: string;
  /** Members of its own records that are lists, and named like lists of other kinds. */
  readonly nestedLists?: readonly string[];

  /** Its records need the members around the list that they stand in, which are waited for. */
  readonly needsAround?: boolean;

  /**
   * A record out of JSON, complete and normal.
   *
   * @param dependencies the list response that it stood in
   * @param of id of what the record belongs to, where neither says so
   * @throws RecordError saying what is wrong
   */
  parse(value: unknown, dependencies?: Around, of?: number): R;

  /** Records with the same one are stored by one connection in their order; the key if absent. */
  lane?(record: R): string;

  /** Other records that an identified record stands on: stored before it. */
  around?(record: R): readonly Part[];

  /** Other records that stood inside an identified record: stored after it. */
  children?(record: R): readonly Part[];

  /**
   * Finds out which stored thing each record is, and gives ids to those without; several records
   * for one thing are made one, the last.
   */
  resolveIds(runner: Runner, records: readonly R[]): Promise<R[]>;

  /** Whether an identified record only mentions what is known better, so that it changes nothing. */
  isReferenceOnly?(record: R): boolean;

  /** Key of an identified record; undefined for one that is new. */
  key(record: R): string | undefined;

  /**
   * The stored records among these, by key, as they would be exported.
   *
   * @param removed also what administrators have removed
   */
  load(runner: Runner, records: readonly R[], removed?: boolean): Promise<Map<string, R>>;

  /** Stores records, with whatever they need to stand. */
  write(runner: Runner, records: readonly R[]): Promise<void>;

  /** Once after an import that stored records: what need not be done for every batch. */
  finish?(runner: Runner): Promise<void>;

  /** What is compared to see whether a record changes anything, and what is exported. */
  toJson(record: R): Record<string, unknown>;

  /**
   * Up to `limit` stored records after an id, by id.
   *
   * @param removed also what administrators have removed
   */
  scanAfter(
    runner: Runner,
    id: number,
    limit: number,
    removed?: boolean,
  ): Promise<{ id: number; record: R }[]>;
}
