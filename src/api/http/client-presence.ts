type Stop = () => void;

/** Whether the client of a request still waits, and what to stop when it leaves. */
export class ClientPresence {
  /**
   * Whether the request has got a database connection. A write is then completed even if its client
   * leaves.
   */
  hasBegun = false;
  private left = false;
  /** Created lazily: most requests never wait. */
  private stops: Set<Stop> | undefined;

  /** Whether the client closed the connection before the response was complete. */
  get hasLeft(): boolean {
    return this.left;
  }

  /** Calls `stop` when the client leaves, unless {@link offLeave} is called before. */
  onLeave(stop: Stop): void {
    (this.stops ??= new Set()).add(stop);
  }

  offLeave(stop: Stop): void {
    this.stops?.delete(stop);
  }

  /** A signal that is aborted when the client leaves, or has left. */
  signal(): AbortSignal {
    const left = new AbortController();
    if (this.left) left.abort();
    else this.onLeave(() => left.abort());
    return left.signal;
  }

  /** Call it once, when the connection closes before the response is complete. */
  leave(): void {
    this.left = true;
    const { stops } = this;
    this.stops = undefined;
    for (const stop of stops ?? []) stop();
  }
}
