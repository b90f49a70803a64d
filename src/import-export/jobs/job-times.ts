/** Times of running jobs in milliseconds. */
export interface JobTimes {
  /** Between two reports of a running job, which also look for its cancellation. */
  readonly heartbeatMs: number;
  /** Between two statements on the connection with the lock, at most. */
  readonly pingMs: number;
  /** For the response to a statement on the connection with the lock. The job then ends. */
  readonly responseMs: number;
  /**
   * Time limit of statements that are in progress when a job is stopped or cancelled, or loses the
   * connection with the lock. Then their connections are closed.
   */
  readonly stopMs: number;
  /**
   * PostgreSQL ends the session with the lock after this time without a statement. It exceeds the
   * sum of the times above, so that the work of a job has ended before another process resumes it.
   */
  readonly idleSessionMs: number;
  /** Delays before the second and the third attempt of a job, see `shouldRetry`. */
  readonly retryDelaysMs: readonly [number, number];
}

/** Times in production. Tests use shorter ones. */
export const JOB_TIMES: JobTimes = {
  heartbeatMs: 2000,
  pingMs: 10_000,
  responseMs: 60_000,
  stopMs: 20_000,
  idleSessionMs: 120_000,
  retryDelaysMs: [10_000, 50_000],
};
