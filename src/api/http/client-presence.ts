type Stop = () => void;

/** Whether the client of a request still waits for the response, and what ends when it leaves. */
export class ClientPresence {
  /**
   * Whether a connection to the database was given to the request: a write is then completed whether
   * its client waits or not.
   */
  hasBegun = false;
  private left = false;
  /** Made when needed: most requests end before anything has to wait. */
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

  /** To be called once, when the connection closed before the response was complete. */
  leave(): void {
    this.left = true;
    const { stops } = this;
    this.stops = undefined;
    for (const stop of stops ?? []) stop();
  }
}
