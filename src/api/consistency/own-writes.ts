import { type RequestContext } from '../http/request-context';

/** Conditions under which a read contains all acknowledged writes of its caller. */
export interface ReadState {
  /**
   * Position in the write-ahead log that a replica must have replayed. Infinity: only the primary
   * has it for certain.
   */
  readonly minPosition: number;
  /** Whether the caller may have written so recently that responses in memory lack it. */
  readonly bypassesMemory: boolean;
  /** Position of the replica that the request reads from; undefined for the primary. */
  replicaPosition?: number | undefined;
}

/**
 * Remembers the writes of callers over all processes of an installation, so that every later read
 * of the caller contains them. Implemented by `src/consistency`.
 */
export abstract class OwnWrites {
  /**
   * Sets `reads` of a request whose caller is known. It never fails.
   *
   * @returns a promise only if another process has to be asked
   */
  abstract prepare(context: RequestContext): Promise<void> | undefined;

  /** Remembers a write; call it before the write is acknowledged. It never fails. */
  abstract remember(context: RequestContext): Promise<void> | undefined;
}
