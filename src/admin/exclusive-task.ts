import { type OperationError } from '../api/errors/error-codes';

/** A task of which one runs at a time in this process, because it takes CPU time from requests. */
export class ExclusiveTask {
  private running = false;

  /** @param busy creates the error while the task runs */
  constructor(private readonly busy: () => OperationError) {}

  get isRunning(): boolean {
    return this.running;
  }

  /** Runs `work`. @throws the error of `busy` while the task runs; otherwise the errors of `work` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running) throw this.busy();
    this.running = true;
    try {
      return await work();
    } finally {
      this.running = false;
    }
  }
}
