import { cancelStatement } from './cancel-statement';
import { type PoolClient } from './pool-client';

/**
 * Milliseconds until a statement is cancelled after its client left; most statements end sooner.
 */
const CANCEL_AFTER_MS = 50;
/**
 * Milliseconds until it is cancelled again: a session that has not yet started the statement ignores
 * the cancellation.
 */
const CANCEL_AGAIN_MS = 500;

/** Cancels the statement of a connection when the client of its request leaves. */
export class StatementCancellation {
  private timer: NodeJS.Timeout | undefined;
  private cancelling: Promise<boolean> | undefined;
  private ended = false;

  constructor(private readonly client: PoolClient) {
    client.requester?.presence?.onLeave(this.leave);
  }

  get cancelled(): boolean {
    return this.cancelling !== undefined;
  }

  private readonly leave = (): void => {
    this.timer = setTimeout(this.cancel, CANCEL_AFTER_MS);
  };

  private readonly cancel = (): void => {
    const cancelling = cancelStatement(this.client);
    this.cancelling = cancelling ?? this.cancelling;
    if (!cancelling) this.leave();
    else
      void cancelling.then((forwarded) => {
        if (forwarded && !this.ended) this.timer = setTimeout(this.cancel, CANCEL_AGAIN_MS);
      });
  };

  /**
   * Call it when the statement has ended.
   *
   * @returns a promise to await before the next statement, so that the cancellation cannot hit it.
   *   It is false if the cancellation may hit a later statement.
   */
  end(): Promise<boolean> | undefined {
    this.client.requester?.presence?.offLeave(this.leave);
    clearTimeout(this.timer);
    this.ended = true;
    return this.cancelling;
  }
}
